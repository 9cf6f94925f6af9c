"use client";

// What waits in a project, why, and how old it is: open rows by agent or by worker target, what has ended behind a toggle.
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { Aspect } from "@/components/ui/aspect";
import { Chip, ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { Segmented } from "@/components/ui/segmented";
import {
  type InboxLine,
  inboxStatuses,
  isOpenRow,
  messageTypes,
  openInboxStatuses,
} from "@/server/contract/inbox-line";
import { InboxGroupHead } from "./inbox-group-head";
import { type Grouping, groupings, groupLines, rowAspect, typeWords } from "./inbox-groups";
import { InboxRow } from "./inbox-row";
import { useInbox } from "./use-inbox";
import "./inbox.css";

const filters = {
  status: parseAsStringLiteral(inboxStatuses),
  type: parseAsStringLiteral(messageTypes),
  agent: parseAsString,
  ended: parseAsBoolean.withDefault(false),
  group: parseAsStringLiteral(groupings).withDefault("agent"),
};
const columns: readonly ListColumn[] = [
  { name: "State", width: "104px" },
  { name: "What", width: "minmax(0,1.2fr)" },
  { name: "Why", width: "minmax(0,1.6fr)" },
  { name: "Tries", width: "minmax(90px,150px)" },
  { name: "Age", width: "76px", isRight: true },
];

export function InboxScreen({ projectId }: { projectId: string }) {
  const [filter, setFilter] = useQueryStates(filters);
  const { list, isLive } = useInbox(projectId, filter);
  const lines = useMemo(() => list.data?.pages.flatMap((page) => page.items), [list.data]);
  const hasFilter = filter.status !== null || filter.type !== null || filter.agent !== null;
  const clear = () => void setFilter({ status: null, type: null, agent: null });
  const open = lines?.filter((line) => isOpenRow(line.status)).length ?? 0;
  const shownStatuses = filter.ended ? inboxStatuses : openInboxStatuses;
  return (
    <ListFrame
      title="Inbox"
      what="inbox"
      one="row"
      columns={columns}
      rowHeight={48}
      items={lines}
      query={list}
      none={<Nothing projectId={projectId} hasFilter={hasFilter} onClear={clear} />}
      filters={
        <>
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
          {lines === undefined || list.isPlaceholderData ? null : (
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
            Include ended
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
        </>
      }
    >
      {(all) => (
        <>
          <Parts projectId={projectId} lines={all} by={filter.group} />
          <More shown={all.length} one="row" list={list} />
        </>
      )}
    </ListFrame>
  );
}

type PartsProps = { projectId: string; lines: readonly InboxLine[]; by: Grouping };

/** What is open by agent or target, and what has ended. */
function Parts({ projectId, lines, by }: PartsProps) {
  const parts = useMemo(() => groupLines(lines, by), [lines, by]);
  return (
    <>
      {parts.groups.map((group) => (
        <section key={group.key} aria-label={group.key}>
          <InboxGroupHead projectId={projectId} group={group} by={by} />
          {group.lines.map((line) => (
            <InboxRow key={line.inbox_id} projectId={projectId} line={line} hasAgent={by === "target"} />
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
    </>
  );
}

type NothingProps = { projectId: string; hasFilter: boolean; onClear: () => void };

function Nothing({ projectId, hasFilter, onClear }: NothingProps) {
  return hasFilter ? (
    <NoFit
      title="No matching messages"
      cause="Messages of another kind, status or agent may be waiting."
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No messages"
      cause="A message waits here from the moment an agent gets work until a worker claims it."
      remedy={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}?run=all&status=running,dispatched`}>
          See what runs
        </Link>
      }
    />
  );
}
