"use client";

// The turns of one agent, the newest first: what each was asked, how it stands, what it read and wrote against its window.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Failure } from "@/components/domain/failure";
import { gaugeShort, gaugeTitle } from "@/components/domain/gauge-words";
import { More } from "@/components/domain/more";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { Aspect } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { Consist } from "@/components/ui/consist";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { type ListColumn, ListRows } from "@/components/ui/list-rows";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Ago, Elapsed } from "@/components/ui/time";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import type { TurnFrame } from "@/server/contract/frame";
import { gaugeOf } from "@/server/contract/tokens";

const columns: readonly ListColumn[] = [
  { name: "Turn", width: "minmax(0,1fr)" },
  { name: "Read and wrote", width: "minmax(80px,170px)" },
  { name: "Boxes", width: "112px" },
  { name: "Time", width: "64px", isRight: true },
  { name: "Started", width: "84px", isRight: true },
];

export type TurnListProps = { projectId: string; agentId: string; name: string };

export function TurnList({ projectId, agentId, name }: TurnListProps) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.agent.turns.infiniteQueryOptions({ project_id: projectId, agent_id: agentId }, { ...patient, ...nextPage }),
  );
  const turns = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  if (turns === undefined)
    return list.error ? (
      <Failure size="panel" error={list.error} what="list of turns" onRetry={list.refetch} />
    ) : (
      <SkeletonRows count={8} rowHeight={48} label="Loading turns" />
    );
  if (turns.length === 0)
    return (
      <EmptyState
        title="No turns yet"
        cause={`${name} has not been given any work yet. Launch a turn to give it some.`}
      />
    );
  return (
    <ListRows columns={columns} group="Agent" one="turn">
      {turns.map((turn) => (
        <Row key={turn.agent_turn_id} projectId={projectId} turn={turn} />
      ))}
      <More shown={turns.length} one="turn" list={list} />
    </ListRows>
  );
}

function Row({ projectId, turn }: { projectId: string; turn: TurnFrame }) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const gauge = gaugeOf(turn);
  const load = [
    ...parseConsist(turn.context_consist),
    ...parseConsist(turn.output_consist).map((run) => ({ ...run, faded: true })),
  ];
  return (
    <div className="list-row relative min-h-12">
      <span>
        <Link
          data-row
          href={`${base}/turns/${encodeURIComponent(turn.agent_turn_id)}`}
          className="flex items-center gap-1.5 after:absolute after:inset-0"
          title={turn.title}
        >
          <Aspect status={turn.status} />
          <span dir="auto" className="truncate font-medium">
            {plainWords(turn.title)}
          </span>
          <Plate code={turn.headcode} />
        </Link>
        <span className="block truncate text-ink-3 text-note">
          {plainWords(turn.error ?? turn.note ?? turn.status)}
        </span>
      </span>
      <span className="max-sm:hidden">
        <Consist
          cards={load}
          window={turn.window_tokens}
          mark={gauge?.tokens}
          label={`${formatNumber(turn.context_tokens)} tokens given, ${formatNumber(turn.output_tokens)} written`}
        />
        <span
          className="mt-0.5 block truncate text-ink-3 text-note"
          data-gauge={gauge?.tokens}
          title={gauge === null ? undefined : gaugeTitle(gauge)}
        >
          {gauge === null ? "no request" : gaugeShort(gauge)}
        </span>
      </span>
      <span className="relative flex items-center gap-2.5">
        <Link href={`${base}/boxes/${turn.context_box_id}`} title="What it was given" className="hover:underline">
          <BoxId code={boxPlate(turn.context_box_id)} />
        </Link>
        {turn.output_box_id === undefined ? null : (
          <Link href={`${base}/boxes/${turn.output_box_id}`} title="What it wrote" className="hover:underline">
            <BoxId code={boxPlate(turn.output_box_id)} />
          </Link>
        )}
      </span>
      <span className="text-right max-sm:hidden">
        {turn.started_at === undefined ? (
          <span className="text-ink-3">not yet</span>
        ) : (
          <Elapsed since={turn.started_at} until={turn.ended_at} />
        )}
      </span>
      <span className="text-right text-ink-3">
        <Ago at={turn.started_at ?? turn.created_at} />
      </span>
    </div>
  );
}
