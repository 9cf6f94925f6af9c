"use client";

// The batch board: tasks by index on one time scale, their tracks into the join gate, and what the parent gets of them.
import { useRouter } from "next/navigation";
import { parseAsBoolean, parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef } from "react";
import { AlarmNote, useAreAlarmsKnown } from "@/components/domain/alarm-note";
import { Failure } from "@/components/domain/failure";
import { PrefixLanes } from "@/components/domain/prefix/prefix-lanes";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTabTitle } from "@/components/ui/tab-title";
import { useNow } from "@/components/ui/use-now";
import { useRowKeys } from "@/components/ui/use-row-keys";
// The batch board: tasks by index on one time scale, their tracks into the join gate, and what the parent gets of them.
import { batchCode } from "@/server/contract/batch-code";
import { BatchSkeleton } from "./batch-skeleton";
import { BoardEvents } from "./board-events";
import { BoardHead } from "./board-head";
import { BoardRows } from "./board-rows";
import { BranchDetail } from "./branch-detail";
import { JoinPanel } from "./join-panel";
import { RetryNote } from "./retry-note";
import { retriable } from "./retry-words";
import { Siblings } from "./siblings";
import { branchSorts, sortBranches, sortLabels } from "./sort-branches";
import { useBoard } from "./use-board";
import "./join.css";
import "./batch.css";
import { formatCount, formatNumber } from "@/components/ui/format";
import { batchName } from "./batch-words";
import { nameOf } from "./outcomes";

const params = {
  task: parseAsInteger,
  sort: parseAsStringLiteral(branchSorts).withDefault("index"),
  /** What the first requests of the branches share is shown. */
  requests: parseAsBoolean.withDefault(false),
};

export function BatchScreen({ projectId, batchId }: BatchScreenProps) {
  const { board, shared, isLive } = useBoard(projectId, batchId);
  const [{ task, sort, requests }, setParams] = useQueryStates(params);
  const router = useRouter();
  const now = useNow();
  const rows = useRef<HTMLOListElement>(null);
  useRowKeys(rows, "Batch", "task");
  useShortcut("esc", "Clear the task selection", () => void setParams({ task: null }), {
    group: "Batch",
    isEnabled: task !== null,
  });
  const areAlarmsKnown = useAreAlarmsKnown(projectId, batchId);
  const sheet = areAlarmsKnown ? board.data : undefined;
  const chosenNow = sheet?.tasks.find((branch) => branch.task_index === task);
  useTabTitle(
    chosenNow === undefined ? undefined : nameOf(chosenNow),
    sheet === undefined ? "Batch" : `${batchCode(sheet)} ${batchName(sheet)}`,
    sheet?.run && `Run ${formatNumber(sheet.run.number)}`,
  );
  if (sheet === undefined)
    return board.error && board.data === undefined ? (
      <Failure
        error={board.error}
        what="batch"
        name={batchId}
        onRetry={board.refetch}
        way={<AllBatches projectId={projectId} />}
      />
    ) : (
      <BatchSkeleton />
    );
  const base = `/p/${encodeURIComponent(projectId)}`;
  const branches = sortBranches(sheet.tasks, sort, now === 0 ? Date.parse(sheet.created_at) : now);
  const chosen = sheet.tasks.find((branch) => branch.task_index === task);
  const failed = retriable(sheet, task);
  return (
    <div className="board-screen">
      <BoardHead projectId={projectId} sheet={sheet} isLive={isLive} retriable={failed} />
      <AlarmNote projectId={projectId} subjectId={batchId} />
      <div className="board-body">
        <div className="board-main">
          <BoardRows
            ref={rows}
            base={base}
            sheet={sheet}
            branches={branches}
            chosen={chosen?.task_index ?? null}
            now={now}
            sortBy={
              <Select
                label="Order of the tasks"
                className="board-sort"
                value={sort}
                options={branchSorts.map((value) => ({ value, label: sortLabels[value] }))}
                onChange={(value) => void setParams({ sort: value === "index" ? null : value })}
              />
            }
            onChoose={(index) => void setParams({ task: index })}
            onOpen={(branch) => {
              if (branch.turn !== undefined)
                router.push(`${base}?run=${branch.turn.root_turn_id}&turn=${branch.turn.agent_turn_id}`);
            }}
          />
          <div className="board-low">
            <Siblings branches={sheet.tasks} shared={shared} />
            <BoardEvents sheet={sheet} />
          </div>
          <section aria-labelledby="batch-requests" className="board-requests">
            <header className="flex items-center gap-2">
              <h2 id="batch-requests" className="font-semibold">
                Requests and cache
              </h2>
              <span className="flex-1" />
              <Button
                size="sm"
                variant="ghost"
                aria-expanded={requests}
                onClick={() => void setParams({ requests: requests ? null : true })}
              >
                {requests ? "Hide" : "Show what the first requests share"}
              </Button>
            </header>
            {requests ? <PrefixLanes projectId={projectId} of={{ batch_id: batchId }} /> : null}
          </section>
        </div>
        <aside className="board-side" aria-label="The join">
          {task === null ? null : chosen === undefined ? (
            <Section title={`No task ${task + 1}`}>
              <p className="text-ink-2">
                This batch has {formatCount(sheet.task_count, "task")}. The link may be for another batch.
              </p>
            </Section>
          ) : (
            <BranchDetail
              base={base}
              branch={chosen}
              attemptsMax={sheet.attempts_max}
              onClose={() => void setParams({ task: null })}
            />
          )}
          <JoinPanel base={base} sheet={sheet} chosen={chosen?.task_index ?? null} />
          {failed === null ? null : <RetryNote sheet={sheet} branch={failed} now={now} />}
        </aside>
      </div>
    </div>
  );
}

export type BatchScreenProps = { projectId: string; batchId: string };

function AllBatches({ projectId }: { projectId: string }) {
  return (
    <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/batches`}>
      All batches
    </Link>
  );
}
