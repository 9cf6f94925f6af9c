"use client";

// The runs of a project: what runs, what failed, what it took. Filtered, sorted, with the columns one chooses, and live.
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { FaultLine } from "@/components/domain/fault-line";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { ViewMenu } from "@/components/domain/view-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { Select } from "@/components/ui/select";
import { SearchInput } from "@/components/ui/text-input";
import { useRested } from "@/components/ui/use-rested";
import { RUNS_NEWEST, type RunOrder, runOrders, runStatuses } from "@/server/contract/run-order";
import { ChooseColumns } from "./choose-columns";
import { ChosenBar } from "./chosen-bar";
import { columnOrder, runColumns } from "./run-columns";
import { colsOf, columnsOf, viewListOf } from "./run-params";
import { runStatusWords } from "./run-row";
import { RunTable } from "./run-table";
import { useChosen } from "./use-chosen";
import { useRuns } from "./use-runs";
import "./runs.css";

const params = {
  q: parseAsString.withDefault(""),
  status: parseAsStringLiteral(runStatuses),
  sort: parseAsStringLiteral(runOrders).withDefault(RUNS_NEWEST),
  cols: parseAsString,
};
const pick: ListColumn = { width: "14px" };

export function RunsScreen({ projectId }: { projectId: string }) {
  const [{ q, status, sort, cols }, setParams] = useQueryStates(params);
  const words = useRested(q);
  const { list, lines, isLive, lookedAt, fault } = useRuns(projectId, { q: words, status, sort });
  const chosen = useChosen(lines?.map((line) => line.root_turn_id) ?? []);
  const shown = columnsOf(cols);
  const columns = columnOrder.filter((column) => shown.includes(column));
  const clear = () => void setParams({ q: null, status: null });
  return (
    <>
      <ListFrame
        title="Runs"
        what="list of runs"
        one="run"
        columns={[pick, ...columns.map((column) => runColumns[column])]}
        hasOwnHead
        rowHeight={36}
        items={lines}
        query={list}
        none={<NoRuns hasFilter={q !== "" || status !== null} lookedAt={lookedAt} onClear={clear} />}
        instead={fault === null ? undefined : <FaultLine {...fault} />}
        filters={
          <>
            <SearchInput
              label="Search in runs"
              className="w-64 max-sm:w-full"
              value={q}
              maxLength={800}
              onChange={(text) => void setParams({ q: text === "" ? null : text })}
            />
            <Select
              label="Status"
              className="w-36 sm:h-6 sm:min-h-6 max-sm:w-[calc(50%-4px)]"
              value={status ?? all}
              onChange={(value) => void setParams({ status: value === all ? null : value })}
              options={[
                { value: all, label: "Any status" },
                ...runStatuses.map((value) => ({ value, label: runStatusWords(value) })),
              ]}
            />
            <Select
              label="Order"
              className="w-[calc(50%-4px)] sm:hidden"
              value={sort}
              onChange={(order) => void setParams({ sort: order })}
              options={runOrders.map((value) => ({ value, label: orderWords(value) }))}
            />
            <ChooseColumns columns={shown} onChange={(now) => void setParams({ cols: colsOf(now) })} />
            <ViewMenu
              projectId={projectId}
              page="runs"
              query={fault === null ? words.trim() : ""}
              list={fault === null ? viewListOf(status, sort, cols) : undefined}
            />
            <span className="flex-1" />
            {lookedAt === undefined ? null : (
              <span className="text-ink-3 text-note">of the newest {formatNumber(lookedAt)}</span>
            )}
            {isLive && lines !== undefined ? <span className="text-ink-3">live</span> : null}
          </>
        }
      >
        {(all) => (
          <>
            <RunTable
              projectId={projectId}
              lines={all}
              columns={columns}
              order={sort}
              onOrder={(order) => void setParams({ sort: order })}
              chosen={chosen}
            />
            <More
              shown={all.length}
              one="run"
              list={list}
              order={sort === RUNS_NEWEST ? undefined : `by ${runColumns[columnOf(sort)].name.toLowerCase()}`}
              note={lookedAt === undefined ? null : `Looked at the newest ${formatNumber(lookedAt)}.`}
            />
          </>
        )}
      </ListFrame>
      <ChosenBar
        projectId={projectId}
        lines={lines?.filter((line) => chosen.ids.has(line.root_turn_id)) ?? []}
        onClear={chosen.clear}
      />
    </>
  );
}

/** The select knows no empty value. */
const all = "all";

const columnOf = (order: RunOrder) =>
  columnOrder.find((column) => order === column || order === `-${column}`) ?? "begun";
const orderWords = (order: RunOrder) => `${runColumns[columnOf(order)].name} ${order.startsWith("-") ? "↓" : "↑"}`;

type NoRunsProps = { hasFilter: boolean; lookedAt: number | undefined; onClear: () => void };

function NoRuns({ hasFilter, lookedAt, onClear }: NoRunsProps) {
  return hasFilter ? (
    <NoFit
      title="No matching runs"
      cause={
        lookedAt === undefined
          ? "This project may have runs with other words or another status."
          : `Only the newest ${formatNumber(lookedAt)} runs were looked at. Name a run or a time to look at others.`
      }
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No runs yet"
      cause="A run begins when you launch an agent, a fork or a plan. Or drop a log here to import one."
    />
  );
}
