"use client";

// One line of the context flow: what of a hand-over it was, and its cards. Of a folded wagon the lines of its turns.
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Consist } from "@/components/ui/consist";
import { formatClock, formatCount, formatNumber } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { parseConsist } from "@/server/contract/consist";
import type { TurnFrame } from "@/server/contract/frame";
import type { HandoverSheet, HandoverVerdict } from "@/server/contract/handover-diff";
import { useHandOverKey } from "../use-hand-over-key";
import { useHasTimes } from "../use-run";
import { useBatch, useTurn, useYard } from "../yard-context";
import { BundleSection } from "./bundle-section";
import { CompareSiblings } from "./compare-siblings";
import { FlowLine, useEndNames } from "./flow-line";
import type { FlowStand, FlowView } from "./flow-view";
import { verdictWords } from "./flow-words";
import { StayedBehind } from "./stayed-behind";
import { useRootTurn } from "./use-flow";

const PAGE = 100;
const MEMBERS_MAX = 60;

export function EdgePanel({ lane, sources }: { lane: FlowStand; sources: FlowView["sources"] }) {
  const { setEdge, live } = useYard();
  // A line of one turn has its own: it is a button there too.
  useHandOverKey({
    label: "Open the hand-over of the line",
    isEnabled: lane.edges.length > 1 || !isHandOver(live.getPicture().turn, lane.edges[0]),
    getTurns: () => {
      const turns = live.getPicture().turn;
      return lane.edges.flatMap((edge) => (isHandOver(turns, edge) ? (turns.get(edge.to) ?? []) : []));
    },
  });
  const [from, to] = useEndNames([lane.from, lane.to], sources);
  const [only, ...others] = lane.edges;
  return (
    <>
      <header className="px-4 pt-3.5 pb-3">
        <div className="flex items-center gap-2">
          <Plate code={from?.code ?? ""} title={from?.words} />
          <span role="img" aria-label="to">
            →
          </span>
          <Plate code={to?.code ?? ""} tone="ink" title={to?.words} />
          <span className="flex-1" />
          <IconButton icon="x" label="Close the line" onClick={() => setEdge(null)} />
        </div>
        <h2 dir="auto" className="mt-1 text-title">
          {from?.words} to {to?.words}
        </h2>
        <p className="mt-1 text-ink-2">
          {formatCount(lane.cards, "card")}, {formatNumber(lane.tokens)} tokens
        </p>
      </header>
      {only && others.length === 0 ? <OneEdge key={`${only.from} ${only.to}`} from={only.from} to={only.to} /> : null}
      {others.length > 0 ? (
        <Section title="Lines of its turns" note={formatNumber(lane.edges.length)}>
          <ul>
            {lane.edges.slice(0, MEMBERS_MAX).map((edge) => (
              <li key={`${edge.from} ${edge.to}`}>
                <FlowLine lane={edge} sources={sources} />
              </li>
            ))}
          </ul>
          {lane.edges.length > MEMBERS_MAX ? (
            <p className="mt-1 text-ink-3">The {formatNumber(MEMBERS_MAX)} heaviest.</p>
          ) : null}
        </Section>
      ) : null}
      {only && others.length > 0 ? <Around edges={lane.edges} /> : null}
    </>
  );
}

const isHandOver = (turns: ReadonlyMap<string, TurnFrame>, edge: { from: string; to: string } | undefined): boolean =>
  edge !== undefined && turns.get(edge.to)?.parent_turn_id === edge.from;

function OneEdge({ from, to }: { from: string; to: string }) {
  const turn = useTurn(to);
  return (
    <>
      {turn?.parent_turn_id === from ? <Handed to={to} /> : null}
      <Around edges={[{ from, to }]} />
      <Cards from={from} to={to} />
    </>
  );
}

/** What the line is one of: the bundle of its fork, and answers at its ends that went nowhere. */
function Around({ edges }: { edges: readonly { from: string; to: string }[] }) {
  const { live } = useYard();
  const turns = live.getPicture().turn;
  const batches = new Set(
    edges.flatMap(({ from, to }) => {
      const turn = turns.get(to);
      return turn?.batch_id !== undefined && turn.parent_turn_id === from ? turn.batch_id : [];
    }),
  );
  const [batchId, ...others] = batches;
  return (
    <>
      {batchId !== undefined && others.length === 0 ? (
        <>
          <BundleSection batchId={batchId} />
          <CompareSiblings batchId={batchId} turnId={edges.length === 1 ? edges[0]?.to : undefined} />
        </>
      ) : null}
      <StayedBehind turnIds={[...new Set(edges.flatMap(({ from, to }) => [from, to]))]} />
    </>
  );
}

/** Of the hand-over that made the turn; other lines have none. */
function Handed({ to }: { to: string }) {
  const trpc = useTRPC();
  const { projectId } = useYard();
  const turn = useTurn(to);
  const batch = useBatch(turn?.batch_id);
  const hasTimes = useHasTimes(turn?.root_turn_id ?? "");
  const { data } = useQuery(
    trpc.debugger.handover.queryOptions({ project_id: projectId, agent_turn_id: to, limit: 1 }, { retry: false }),
  );
  const router = useRouter();
  const href = `/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(to)}/handover`;
  useShortcut("h", "Open the hand-over of the line", () => router.push(href), { group: "Yard" });
  if (!turn) return null;
  const verdicts = (Object.keys(verdictWords) as HandoverVerdict[]).flatMap((verdict) => {
    const weight = data?.verdicts[verdict];
    return weight ? [[verdict, verdictWords[verdict], weight] as const] : [];
  });
  return (
    <>
      <Section
        title={hasTimes ? `Handed over at ${formatClock(turn.created_at)}` : "Handed over"}
        note={batch && turn.task_index !== undefined ? `task ${turn.task_index + 1} of ${batch.name}` : undefined}
      >
        {data ? <Travelled sheet={data} /> : <SkeletonRows count={3} />}
        <Link className="btn mt-3" data-size="sm" href={href} prefetch={false} aria-keyshortcuts="h">
          Open handover
          <Kbd keys="h" />
        </Link>
      </Section>
      {data && verdicts.length > 0 ? (
        <Section title="What happened to the cards">
          <ul className="grid gap-y-1.5">
            {verdicts.map(([verdict, words, weight]) => (
              <li key={verdict} className="flex items-baseline gap-2">
                <span className="min-w-0 flex-1">{words}</span>
                <span className="text-ink-3">{formatCount(weight.cards, "card")}</span>
                <b className="w-16 text-right">{formatNumber(weight.tokens)}</b>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function Travelled({ sheet }: { sheet: HandoverSheet }) {
  const rows = [
    ["had", sheet.had],
    ["packed", sheet.packed],
    ["saw", sheet.saw],
  ] as const;
  const most = Math.max(1, ...rows.map(([, { tokens }]) => tokens));
  const drawn = useMemo(
    () => [sheet.had, sheet.packed, sheet.saw].map(({ consist }) => parseConsist(consist)),
    [sheet.had, sheet.packed, sheet.saw],
  );
  return (
    <ul className="grid gap-y-2">
      {rows.map(([name, { tokens, cards }], i) => (
        <li key={name} className="flow-had">
          <span className="text-ink-3">{name}</span>
          <Consist
            cards={drawn[i] ?? []}
            window={most}
            notch={null}
            height={10}
            label={`${name}: ${formatCount(cards, "card")}, ${formatNumber(tokens)} tokens`}
          />
          <b>{formatNumber(tokens)}</b>
        </li>
      ))}
    </ul>
  );
}

function Cards({ from, to }: { from: string; to: string }) {
  const trpc = useTRPC();
  const { projectId } = useYard();
  const rootTurnId = useRootTurn();
  const [start, setStart] = useState(0);
  const { data, error } = useQuery(
    trpc.run.flow_cards.queryOptions(
      { project_id: projectId, root_turn_id: rootTurnId ?? "", from, to, start, limit: PAGE },
      { enabled: rootTurnId !== undefined, retry: false, placeholderData: (before) => before },
    ),
  );
  if (error) return <Section title="Cards">{error.message}</Section>;
  if (!data)
    return (
      <Section title="Cards">
        <SkeletonRows count={5} />
      </Section>
    );
  const end = data.start + data.rows.length;
  return (
    <Section title="Cards" note={formatNumber(data.cards)}>
      <ul>
        {data.rows.map((row) => (
          <li key={`${row.as} ${row.card_id}`}>
            <Link
              className="flow-card"
              href={`/p/${encodeURIComponent(projectId)}/cards/${encodeURIComponent(row.card_id)}`}
              prefetch={false}
            >
              <i className="role-fill" data-role={row.role} aria-hidden />
              <span className="min-w-0 flex-1">
                <span className="block truncate" dir="auto">
                  {plainWords(row.title)}
                </span>
                <span className="block truncate font-mono text-ink-3 text-note">
                  {row.type}, {inWords[row.as]}
                </span>
              </span>
              <b>{formatNumber(row.flow_tokens)}</b>
            </Link>
          </li>
        ))}
      </ul>
      {data.cards > data.rows.length ? (
        <div className="mt-2 flex items-center gap-2">
          <span className="flex-1 text-ink-3">
            {formatNumber(data.start + 1)} to {formatNumber(end)} of {formatNumber(data.cards)}
          </span>
          <Button size="sm" disabled={data.start === 0} onClick={() => setStart(Math.max(0, start - PAGE))}>
            Back
          </Button>
          <Button size="sm" disabled={end >= data.cards} onClick={() => setStart(start + PAGE)}>
            Next
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

const inWords = { context: "in its context", memory: "in its agent's memory", output: "in its output" } as const;
