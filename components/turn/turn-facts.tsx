"use client";

// What the turn is part of: what it and all below it cost, what it was asked and delivered, its boxes, whom it called, what was
// forked from it.
import { NoCost } from "@/components/domain/no-cost";
import { Aspect } from "@/components/ui/aspect";
import { formatCompact, formatCost, formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { batchCode } from "@/server/contract/batch-code";
import type { TurnRef } from "@/server/contract/line";
import { noCostReasons } from "@/server/contract/tokens";
import type { TurnSheet } from "@/server/contract/turn-sheet";
import { Deliverable } from "./deliverable";
import { LateWrites } from "./late-writes";
import { StandStill } from "./stand-still";
import { WhatItSees } from "./what-it-sees";

export type TurnFactsProps = { projectId: string; sheet: TurnSheet; now: number };

export function TurnFacts({ projectId, sheet, now }: TurnFactsProps) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const awaited = sheet.running
    .filter(({ batch }) => batch.parent_agent_turn_id === sheet.agent_turn_id)
    .map(({ batch, number, held }) => ({
      batch_id: batch.batch_id,
      name: batchCode({ number, tool_name: batch.tool_name }),
      title: batch.tool_name,
      progress: formatCount(batch.task_count, "task"),
      awaited: held > 0 ? `${held} held back` : "",
      deadline_at: batch.deadline_at,
    }));
  return (
    <aside className="turn-side" aria-label="What the turn is part of">
      <StandStill
        projectId={projectId}
        turn={sheet}
        detail={sheet}
        awaited={awaited}
        now={now}
        requestRevs={sheet.request_revs}
      />
      <Costs sheet={sheet} />
      {sheet.forked_from === undefined ? null : <ForkedFrom sheet={sheet} base={base} />}
      <Deliverable projectId={projectId} turn={sheet} detail={sheet} />
      <WhatItSees projectId={projectId} turn={sheet} detail={sheet} />
      {sheet.callees.length === 0 ? null : (
        <Section title="It called" note={more(sheet.callees.length, sheet.children.length)}>
          <ul>
            {sheet.callees.map((turn) => (
              <TurnLine key={turn.agent_turn_id} turn={turn} base={base} />
            ))}
          </ul>
        </Section>
      )}
      {sheet.forks.length === 0 ? null : (
        <Section title="Forked from it" note={String(sheet.forks.length)}>
          <ul>
            {sheet.forks.map((turn) => (
              <TurnLine key={turn.agent_turn_id} turn={turn} base={base} note={`at step ${turn.ordinal}`} />
            ))}
          </ul>
        </Section>
      )}
      <LateWrites turn={sheet} late={sheet.late} />
      <Section>
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link className="link" href={`${base}?run=${sheet.root_turn_id}&turn=${sheet.agent_turn_id}`}>
            Show it in the yard
          </Link>
          <Link className="link" href={`${base}/agents/${encodeURIComponent(sheet.agent_id)}`}>
            Its agent
          </Link>
          {sheet.is_human ? null : (
            <Link className="link" href={`${base}/profiles/${encodeURIComponent(sheet.profile_name)}`}>
              Its profile
            </Link>
          )}
        </p>
      </Section>
    </aside>
  );
}

const more = (shown: number, all: number) => (shown < all ? `${shown} of ${formatNumber(all)}` : String(all));

function Costs({ sheet }: { sheet: TurnSheet }) {
  const { subtree } = sheet;
  const estimated = sheet.steps.reduce((sum, step) => sum + (step.request_tokens ?? 0), 0);
  const why = noCostReasons(sheet.steps);
  const rows = [
    {
      name: "This turn",
      est: estimated,
      tokens_in: sheet.tokens_in,
      tokens_out: sheet.tokens_out,
      cost: sheet.cost,
      why,
    },
    ...(subtree.turns === 1
      ? []
      : [
          {
            name: `With ${subtree.turns - 1} below`,
            est: subtree.request_tokens,
            why: "None of these turns has a cost",
            ...subtree,
          },
        ]),
  ];
  return (
    <Section
      title="Tokens and cost"
      note={subtree.live > 0 ? `${formatCount(subtree.live, "turn")} not ended` : undefined}
    >
      <table className="turn-costs">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Of</span>
            </th>
            <th scope="col">In, est.</th>
            <th scope="col">In</th>
            <th scope="col">Out</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{formatCompact(row.est)}</td>
              <td>{formatCompact(row.tokens_in)}</td>
              <td>{formatCompact(row.tokens_out)}</td>
              <td>{row.cost === undefined ? <NoCost why={row.why} /> : formatCost(row.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {subtree.cost !== undefined && subtree.unpriced > 0 ? (
        <p className="mt-1.5 text-ink-3">
          {formatCount(subtree.unpriced, "turn")} without a price: the sum is that of the others.
        </p>
      ) : null}
    </Section>
  );
}

function ForkedFrom({ sheet, base }: { sheet: TurnSheet; base: string }) {
  const from = sheet.forked_from;
  if (from === undefined) return null;
  const cards = `${base}/cards/`;
  return (
    <Section title="Forked">
      <p className="text-ink-2">
        It goes on from{" "}
        <Link className="link" href={`${base}/turns/${encodeURIComponent(from.agent_turn_id)}?step=${from.ordinal}`}>
          {from.headcode} at step {from.ordinal}
        </Link>
        {from.replaced.length + from.dropped.length === 0 ? ", with nothing changed." : ", with"}
      </p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {from.replaced.map((one) => (
          <li key={one.card_id}>
            <Link className="link" href={cards + one.card_id}>
              a card
            </Link>{" "}
            replaced by{" "}
            <Link className="link" href={cards + one.with}>
              another
            </Link>
          </li>
        ))}
        {from.dropped.map((card_id) => (
          <li key={card_id}>
            <Link className="link line-through" href={cards + card_id}>
              a card
            </Link>{" "}
            dropped
          </li>
        ))}
        {from.followed.length === 0 ? null : (
          <li className="text-ink-3">
            and {formatCount(from.followed.length, "card")} changed with it, as calls go in pairs
          </li>
        )}
      </ul>
    </Section>
  );
}

function TurnLine({ turn, base, note }: { turn: TurnRef; base: string; note?: string }) {
  return (
    <li>
      <Link
        href={`${base}/turns/${encodeURIComponent(turn.agent_turn_id)}`}
        className="-mx-1.5 flex h-6 items-center gap-2 rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
      >
        <Aspect status={turn.status} size={13} />
        <span dir="auto" className="min-w-0 truncate" title={turn.title}>
          {plainWords(turn.title)}
        </span>
        <Plate code={turn.headcode} />
        <span className="flex-1" />
        {note === undefined ? null : <span className="flex-none text-ink-3">{note}</span>}
      </Link>
    </li>
  );
}
