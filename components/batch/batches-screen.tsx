"use client";

// All batches of a project, the newest first: who forked, how each lane stands, what the join waits for.
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { Aspect } from "@/components/ui/aspect";
import { Chip, ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { KindMark } from "@/components/ui/kind-mark";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Ago, Elapsed } from "@/components/ui/time";
import { batchStatuses } from "@/server/contract/batch";
import { batchCode } from "@/server/contract/batch-code";
import type { BatchLine } from "@/server/contract/batch-sheet";
import { isOut, laneAspect, laneWord, ruleWords, tallyOf } from "./batch-words";
import { TimeLeft } from "./time-left";
import { useBatches } from "./use-batches";

const filters = { status: parseAsStringLiteral(batchStatuses), run: parseAsString };
const columns: readonly ListColumn[] = [
  { name: "Batch", width: "54px" },
  { name: "Run", width: "64px" },
  { name: "Forked by", width: "minmax(0,1.5fr)" },
  { name: "Lanes into the join", width: "minmax(120px,1fr)" },
  { name: "Rule", width: "minmax(0,1fr)" },
  { name: "Time", width: "108px" },
  { name: "Forked", width: "84px", isRight: true },
];
const lampsMax = 12;

export function BatchesScreen({ projectId }: { projectId: string }) {
  const [filter, setFilter] = useQueryStates(filters);
  const { list, isLive } = useBatches(projectId, filter);
  const batches = useMemo(() => {
    const all = list.data?.pages.flatMap((page) => page.items);
    // A batch that has ended since it was read no longer fits a filter for those that run.
    return filter.status === null ? all : all?.filter((batch) => batch.status === filter.status);
  }, [list.data, filter.status]);
  const running = batches?.filter((batch) => batch.status === "running").length ?? 0;
  const clear = () => void setFilter({ status: null, run: null });
  return (
    <ListFrame
      title="Batches"
      what="list of batches"
      one="batch"
      columns={columns}
      rowHeight={48}
      items={batches}
      query={list}
      none={
        <NoBatches projectId={projectId} hasFilter={filter.status !== null || filter.run !== null} onClear={clear} />
      }
      filters={
        <>
          {batchStatuses.map((status) => (
            <ToggleChip
              key={status}
              isOn={filter.status === status}
              onChange={(isOn) => void setFilter({ status: isOn ? status : null })}
            >
              <Aspect status={status} label={null} size={13} />
              {status}
            </ToggleChip>
          ))}
          {filter.run === null ? null : (
            <Chip name="run" onRemove={() => void setFilter({ run: null })}>
              {batches?.[0]?.run?.number ?? filter.run}
            </Chip>
          )}
          <span className="flex-1" />
          {batches === undefined ? null : (
            <span className="text-ink-3">
              {formatNumber(running)} running{isLive ? ", live" : ""}
            </span>
          )}
        </>
      }
    >
      {(batches) => (
        <>
          {batches.map((batch) => (
            <Row key={batch.batch_id} projectId={projectId} batch={batch} />
          ))}
          <More shown={batches.length} one="batch" many="batches" list={list} />
        </>
      )}
    </ListFrame>
  );
}

function Row({ projectId, batch }: { projectId: string; batch: BatchLine }) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const isDone = batch.status !== "running";
  return (
    <div className="list-row relative min-h-12">
      <span className="flex items-center gap-1.5">
        <Plate code={batchCode(batch)} />
      </span>
      <span className="text-ink-2">
        {batch.run === undefined ? null : (
          <Link href={`${base}?run=${batch.run.root_turn_id}`} className="relative z-1 hover:underline">
            Run {formatNumber(batch.run.number)}
          </Link>
        )}
      </span>
      <span className="max-sm:order-first max-sm:w-full">
        <Link
          data-row
          href={`${base}/batches/${batch.batch_id}`}
          className="flex items-center gap-1.5 after:absolute after:inset-0"
          title={batch.batch_id}
        >
          <Aspect status={batch.status} />
          <span dir="auto" className="truncate font-medium">
            {batch.parent === undefined ? batch.tool_name : plainWords(batch.parent.title)}
          </span>
          {batch.parent === undefined ? null : <Plate code={batch.parent.headcode} tone="bare" />}
        </Link>
        <span className="flex items-center gap-1 truncate text-ink-3 text-note">
          <KindMark kind={batch.tool_name === "ask_expert" ? "ask" : "fork"} size={12} label={null} />
          {batch.tool_name === "ask_expert" ? "asked an expert" : "forked"}
          {batch.parent === undefined ? null : `, ${batch.parent.is_human ? "by a person" : batch.parent.profile_name}`}
        </span>
      </span>
      <Lamps batch={batch} />
      <span className="truncate text-ink-2 max-sm:hidden">{ruleWords(batch)}</span>
      <span className="max-sm:ml-auto">
        {isDone ? (
          <span>
            took <Elapsed since={batch.created_at} until={batch.ended_at} />
          </span>
        ) : (
          <TimeLeft batch={batch} />
        )}
      </span>
      <span className="text-right text-ink-3 max-sm:hidden">
        <Ago at={batch.created_at} />
      </span>
    </div>
  );
}

/** One lamp a lane as at the gate; where there are too many, how many of each. */
function Lamps({ batch }: { batch: BatchLine }) {
  const tally = tallyOf(batch.lanes);
  const said = tally.map(({ lane, count }) => `${count} ${laneWord(lane)}`).join(", ");
  const out = batch.lanes.filter(isOut).length;
  const good = batch.lanes.filter((lane) => lane === "success").length;
  return (
    <span className="min-w-0" title={said}>
      {batch.lanes.length > lampsMax ? (
        <span className="flex flex-wrap gap-x-2">
          {tally.map(({ lane, count }) => (
            <span key={lane} className="flex items-center gap-1">
              <Aspect status={laneAspect(lane)} size={12} label={laneWord(lane)} />
              {formatNumber(count)}
            </span>
          ))}
        </span>
      ) : (
        <span className="flex flex-wrap gap-1" role="img" aria-label={said}>
          {batch.lanes.map((lane, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place.
            <Aspect key={index} status={laneAspect(lane)} size={13} label={null} />
          ))}
        </span>
      )}
      <span className="block text-ink-3 text-note">
        {batch.status === "running"
          ? `${formatNumber(out)} of ${formatNumber(batch.task_count)} still running`
          : `${formatNumber(good)} of ${formatNumber(batch.task_count)} delivered`}
      </span>
    </span>
  );
}

type NoBatchesProps = { projectId: string; hasFilter: boolean; onClear: () => void };

function NoBatches({ projectId, hasFilter, onClear }: NoBatchesProps) {
  return hasFilter ? (
    <NoFit
      title="No matching batches"
      cause="This project has batches, but none with this status or from this run."
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No batches yet"
      cause={
        <>
          An agent creates a batch when it calls <span className="mono">fork_join</span> or{" "}
          <span className="mono">ask_expert</span>: its tasks run in parallel, and the agent sleeps until all have
          ended.
        </>
      }
      remedy={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/profiles`}>
          See which profiles may fork
        </Link>
      }
    />
  );
}
