"use client";

// What waits in a project, why, and how old it is: open rows by agent or by worker target, what has ended behind a toggle.
import Link from "next/link";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type CSSProperties, useMemo, useRef } from "react";
import { Failure } from "@/components/trpc/failure";
import { More } from "@/components/trpc/more";
import { Aspect } from "@/components/ui/aspect";
import { Chip, ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { NoFit } from "@/components/ui/no-fit";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useRowKeys } from "@/components/ui/use-row-keys";
import { inboxStatuses, isOpenRow, messageTypes, openInboxStatuses } from "@/server/contract/inbox-line";
import { InboxGroupHead } from "./inbox-group-head";
import { groupings, groupLines, rowAspect, typeWords } from "./inbox-groups";
import { InboxRow } from "./inbox-row";
import { useInbox } from "./use-inbox";
import "@/components/ui/list.css";
import "./inbox.css";

const filters = {
  status: parseAsStringLiteral(inboxStatuses),
  type: parseAsStringLiteral(messageTypes),
  agent: parseAsString,
  ended: parseAsBoolean.withDefault(false),
  group: parseAsStringLiteral(groupings).withDefault("agent"),
};
const columns = "104px minmax(0,1.2fr) minmax(0,1.6fr) minmax(90px,150px) 76px";

export function InboxScreen({ projectId }: { projectId: string }) {
  const [filter, setFilter] = useQueryStates(filters);
  const { list, isLive } = useInbox(projectId, filter);
  const lines = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  const parts = useMemo(() => (lines === undefined ? null : groupLines(lines, filter.group)), [lines, filter.group]);
  const rows = useRef<HTMLDivElement>(null);
  useRowKeys(rows, "Inbox", "row");
  const hasFilter = filter.status !== null || filter.type !== null || filter.agent !== null;
  const clear = () => void setFilter({ status: null, type: null, agent: null });
  const open = lines?.filter((line) => isOpenRow(line.status)).length ?? 0;
  const shownStatuses = filter.ended ? inboxStatuses : openInboxStatuses;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Inbox</h1>
      <search className="filter-bar">
        {shownStatuses.map((status) => (
          <ToggleChip
            key={status}
            isOn={filter.status === status}
            onChange={(isOn) => void setFilter({ status: isOn ? status : null })}
          >
            <Aspect status={rowAspect[status]} label={null} size={13} />
            {status}
          </ToggleChip>
        ))}
        <span aria-hidden className="h-4 border-line-2 border-l max-sm:hidden" />
        {messageTypes.map((type) => (
          <ToggleChip
            key={type}
            isOn={filter.type === type}
            onChange={(isOn) => void setFilter({ type: isOn ? type : null })}
          >
            {typeWords[type]}
          </ToggleChip>
        ))}
        {filter.agent === null ? null : (
          <Chip name="agent" onRemove={() => void setFilter({ agent: null })}>
            {filter.agent}
          </Chip>
        )}
        <span className="flex-1" />
        {lines === undefined ? null : (
          <span className="text-ink-3">
            {formatNumber(open)}
            {list.hasNextPage && !filter.ended ? " or more" : ""} waiting{isLive ? ", live" : ""}
          </span>
        )}
        <ToggleChip
          isOn={filter.ended}
          onChange={(isOn) =>
            void setFilter({
              ended: isOn ? true : null,
              // A status that only the ended have would leave nothing to show.
              status: !isOn && filter.status !== null && !isOpenRow(filter.status) ? null : filter.status,
            })
          }
        >
          with what has ended
        </ToggleChip>
        <Segmented
          label="Group by"
          value={filter.group}
          choices={[
            { value: "agent", label: "By agent" },
            { value: "target", label: "By target" },
          ]}
          onChange={(group) => void setFilter({ group: group === "agent" ? null : group })}
        />
      </search>
      {lines === undefined || parts === null ? (
        list.error ? (
          <Failure error={list.error} what="inbox" onRetry={list.refetch} />
        ) : (
          <SkeletonRows count={12} rowHeight={48} label="Loading the inbox" />
        )
      ) : lines.length === 0 ? (
        <Nothing projectId={projectId} hasFilter={hasFilter} onClear={clear} />
      ) : (
        <div ref={rows} className="min-h-0 flex-1 overflow-y-auto" style={{ "--columns": columns } as CSSProperties}>
          <div className="list-head" aria-hidden>
            <span>State</span>
            <span>What</span>
            <span>Why</span>
            <span>Tries</span>
            <span className="text-right">Age</span>
          </div>
          {parts.groups.map((group) => (
            <section key={group.key} aria-label={group.key}>
              <InboxGroupHead projectId={projectId} group={group} by={filter.group} />
              {group.lines.map((line) => (
                <InboxRow key={line.inbox_id} projectId={projectId} line={line} hasAgent={filter.group === "target"} />
              ))}
            </section>
          ))}
          {parts.ended.length === 0 ? null : (
            <section aria-label="Ended">
              <h2 className="inbox-group">
                <b>Ended</b>
                <span className="text-ink-3">the newest first</span>
              </h2>
              {parts.ended.map((line) => (
                <InboxRow key={line.inbox_id} projectId={projectId} line={line} hasAgent />
              ))}
            </section>
          )}
          <More shown={lines.length} one="row" list={list} />
        </div>
      )}
    </div>
  );
}

type NothingProps = { projectId: string; hasFilter: boolean; onClear: () => void };

function Nothing({ projectId, hasFilter, onClear }: NothingProps) {
  return hasFilter ? (
    <NoFit
      title="Nothing waits that fits"
      cause="Other rows may wait: of another kind, in another state, or of another agent."
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="Nothing waits"
      cause="Every turn has been taken up and every result has been read. A row appears here when an agent is given work, and goes when a worker takes it."
      remedy={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}?run=all&status=running,dispatched`}>
          See what runs
        </Link>
      }
    />
  );
}
