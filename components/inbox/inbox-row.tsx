"use client";

// One row: its state, what it is about, why it waits in words, how often it was tried, and how old it is.
import { agentName } from "@/components/domain/agent-names";
import { Aspect } from "@/components/ui/aspect";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Ago, Elapsed } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import { type InboxLine, inboxReason, isOpenRow } from "@/server/contract/inbox-line";
import { isStarved, rowAspect, triesOf, typeWords } from "./inbox-groups";

export type InboxRowProps = {
  projectId: string;
  line: InboxLine;
  /** Where the group does not name it. */
  hasAgent: boolean;
};

export function InboxRow({ projectId, line, hasAgent }: InboxRowProps) {
  const now = useNow();
  const base = `/p/${encodeURIComponent(projectId)}`;
  const { turn, behind } = line;
  const isOpen = isOpenRow(line.status);
  const reason = now === 0 ? line.reason : inboxReason(line, now);
  const tries = triesOf(line);
  return (
    <div className="list-row relative min-h-12">
      <span className="flex items-center gap-1.5">
        <Aspect status={rowAspect[line.status]} label={null} size={15} />
        <span className={isOpen ? "font-medium" : "text-ink-2"}>{line.status}</span>
      </span>
      <span className="max-sm:w-full">
        <Link
          data-row
          href={turn === undefined ? `${base}/agents/${line.agent_id}` : yardLink(base, turn)}
          className="flex items-center gap-1.5 after:absolute after:inset-0"
          title={line.inbox_id}
        >
          <span dir="auto" className="truncate font-medium">
            {turn === undefined ? line.correlation_id : plainWords(turn.title)}
          </span>
          {turn === undefined ? null : <Plate code={turn.headcode} />}
        </Link>
        <span className="flex min-w-0 items-center gap-1 text-ink-3 text-note">
          <span className="flex-none">{typeWords[line.message_type]}</span>
          {hasAgent ? (
            <Link
              href={`${base}/agents/${line.agent_id}`}
              title={line.agent_id}
              className="relative z-1 min-h-6 truncate leading-6 hover:underline"
            >
              of {agentName(line)}
            </Link>
          ) : null}
        </span>
      </span>
      <span className="max-sm:w-full" suppressHydrationWarning>
        <span
          className={cn(
            "block",
            isStarved(line) ? "text-st-partial" : line.status === "error" ? "text-st-failed" : "text-ink-2",
          )}
        >
          {reason}
        </span>
        {behind === undefined ? null : (
          <Link
            href={yardLink(base, behind)}
            className="relative z-1 inline-flex items-center gap-1 text-ink-3 text-note hover:underline"
          >
            <Aspect status={behind.status} size={12} /> {behind.headcode} is {behind.status}
          </Link>
        )}
      </span>
      <span className={tries === "first try" ? "text-ink-3 max-sm:hidden" : "text-ink-2"}>{tries}</span>
      <span className="text-right max-sm:ml-auto">
        {isOpen ? (
          <Elapsed since={line.created_at} />
        ) : (
          <Ago at={line.archived_at ?? line.processed_at ?? line.created_at} className="text-ink-3" />
        )}
      </span>
    </div>
  );
}

const yardLink = (base: string, turn: NonNullable<InboxLine["turn"]>): string =>
  `${base}?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`;
