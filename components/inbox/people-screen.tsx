"use client";

// What needs a person: questions of agents and calls that wait for approval, the oldest first. A toggle shows what has been
// decided.
import { parseAsBoolean, useQueryState } from "nuqs";
import { useRef } from "react";
import { Failure } from "@/components/domain/failure";
import { HumanRequestCard } from "@/components/domain/human-request-card";
import { More } from "@/components/domain/more";
import { ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { useRowKeys } from "@/components/ui/use-row-keys";
import { usePeople } from "./use-people";

export function PeopleScreen({ projectId }: { projectId: string }) {
  const [withDecided, setWithDecided] = useQueryState("decided", parseAsBoolean.withDefault(false));
  const { list, lines, isLive, openCount, touch } = usePeople(projectId, withDecided);
  const cards = useRef<HTMLDivElement>(null);
  useTabTitle("What needs a person", "Inbox");
  useRowKeys(cards, "Inbox", "request");
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Inbox</h1>
      <search className="filter-bar">
        <span className="text-ink-3">
          {openCount === undefined ? "" : `${formatNumber(openCount)} open${isLive ? ", live" : ""}`}
        </span>
        <span className="flex-1" />
        <ToggleChip isOn={withDecided} onChange={(isOn) => void setWithDecided(isOn ? true : null)}>
          Show decided
        </ToggleChip>
      </search>
      {lines === undefined || (lines.length === 0 && list.isPlaceholderData) ? (
        list.error ? (
          <Failure error={list.error} what="inbox" onRetry={list.refetch} />
        ) : (
          <SkeletonRows count={3} rowHeight={180} label="Loading what needs a person" />
        )
      ) : lines.length === 0 ? (
        <EmptyState
          size="page"
          title={withDecided ? "No requests yet" : "No open requests"}
          cause="Agents ask here when they call ask_human or a tool that requires approval. The turn waits until someone answers."
          remedy={
            <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/profiles`}>
              See the profiles
            </Link>
          }
        />
      ) : (
        <div ref={cards} className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex w-full max-w-220 flex-col gap-3 px-4 py-4">
            {lines.map((line) => (
              <HumanRequestCard
                key={line.request_id}
                projectId={projectId}
                line={line}
                variant="page"
                onTouch={(isTouched) => touch(line.request_id, isTouched)}
              />
            ))}
            <More shown={lines.length} one="request" list={list} />
          </div>
        </div>
      )}
    </div>
  );
}
