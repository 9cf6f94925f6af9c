"use client";

// What a suspended turn waits for: how far its batch is, which tools have still to answer, and until when.
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { leftWords } from "./turn-view";

/** A batch the turn has forked and waits for, in words. */
export type AwaitedBatch = {
  batch_id: string;
  name: string;
  title: string;
  progress: string;
  awaited: string;
  deadline_at: string | undefined;
};

export type WaitNoteProps = {
  projectId: string;
  turn: TurnFrame;
  detail: TurnDetail | undefined;
  awaited: readonly AwaitedBatch[];
  now: number;
  /** It has asked people: that is most likely what it waits for, and stands above. */
  hasAsked: boolean;
};

export function WaitNote({ projectId, turn, detail, awaited, now, hasAsked }: WaitNoteProps) {
  if (turn.status !== "suspended") return null;
  if (detail === undefined && awaited.length === 0)
    return hasAsked ? null : (
      <Section title="Waits for">
        <p className="flex h-[1lh] items-center" role="status" aria-label="Loading what it waits for">
          <Skeleton className="h-2.5 w-2/5" />
        </p>
      </Section>
    );
  const others = (detail?.waiting ?? []).filter((call) => !awaited.some((batch) => batch.batch_id === call.batch_id));
  // What people are asked stands above, with the ways to answer.
  const tools = others.filter((call) => call.tool_name !== "ask_human");
  if (others.length > 0 && tools.length === 0 && awaited.length === 0) return null;
  // "waits for fork_join" says less than the line of the batch does.
  const note = awaited.length === 0 ? turn.note : undefined;
  return (
    <Section title="Waits for" note={note}>
      <ul className="flex flex-col gap-1.5">
        {awaited.map((batch) => (
          <li key={batch.batch_id} className="flex items-center gap-2">
            <KindMark kind="fork" size={14} label={null} className="flex-none text-ink-2" />
            <Link
              className="link min-w-0 flex-none"
              href={`/p/${encodeURIComponent(projectId)}/batches/${encodeURIComponent(batch.batch_id)}`}
            >
              {batch.name}, {batch.title}
            </Link>
            <span className="min-w-0 flex-1 truncate text-ink-2">
              {batch.progress}
              {batch.awaited === "" ? "" : `, ${batch.awaited}`}
            </span>
            <Left deadline={batch.deadline_at} now={now} />
          </li>
        ))}
        {tools.map((call) => (
          <li key={call.tool_call_id} className="flex items-center gap-2">
            <Icon name={call.is_received ? "check" : "clock"} size={14} className="flex-none text-ink-2" />
            <span className="mono flex-none">{call.tool_name}</span>
            <span className="min-w-0 flex-1 truncate text-ink-2">
              {call.is_received ? "has answered" : "has not answered"}
            </span>
            {call.is_received ? null : <Left deadline={call.deadline_at} now={now} />}
          </li>
        ))}
        {awaited.length === 0 && tools.length === 0 ? (
          <li className="text-ink-3">All results are in. It continues now.</li>
        ) : null}
      </ul>
    </Section>
  );
}

function Left({ deadline, now }: { deadline: string | undefined; now: number }) {
  if (deadline === undefined) return <span className="flex-none text-ink-3">no deadline</span>;
  if (now === 0) return null;
  return <span className="flex-none text-ink-3">{leftWords(Date.parse(deadline) - now)}</span>;
}
