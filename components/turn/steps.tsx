"use client";

// The calls of the model, each with the size of what it was sent. A step leads to exactly that request, on the turn's page.
import { Aspect } from "@/components/ui/aspect";
import { formatCompact, formatDuration, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { type StepLine, stepLines } from "./turn-view";

export type StepsProps = {
  projectId: string;
  turn: TurnFrame;
  detail: TurnDetail | undefined;
  now: number;
  hasTimes: boolean;
};

export function Steps({ projectId, turn, detail, now, hasTimes }: StepsProps) {
  if (turn.is_human) return null;
  if (detail === undefined) return <StepsSkeleton count={turn.step_count} />;
  const lines = stepLines(detail.steps, now);
  if (lines.length === 0)
    return (
      <Section title="Steps" note="none">
        <p className="text-ink-3">{noSteps(turn)}</p>
      </Section>
    );
  return (
    <Section title="Steps" note={String(lines.length)}>
      <ol>
        {lines.map((line) => (
          <li key={line.step.step_id}>
            <StepRow line={line} projectId={projectId} window={turn.window_tokens} hasTimes={hasTimes} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The frame says how many there are; of what kind is not known yet, nor, where it says none, whether that is so. */
function StepsSkeleton({ count }: { count: number }) {
  const rows = Math.max(1, count);
  return (
    <Section title="Steps" note={count === 0 ? undefined : String(count)}>
      <div role="status" aria-label="Loading the steps">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <div key={row} className="flex h-[26px] items-center gap-[7px] max-sm:h-11">
            <Skeleton className="h-2.5 w-3/5" />
          </div>
        ))}
      </div>
    </Section>
  );
}

function noSteps(turn: TurnFrame): string {
  if (turn.profile_name.startsWith("import:")) return "This log contains messages only. It has no model calls.";
  return isEnded(turn.status) ? "It ended before its first model call." : "Not started.";
}

type StepRowProps = { line: StepLine; projectId: string; window: number | undefined; hasTimes: boolean };

function StepRow({ line, projectId, window, hasTimes }: StepRowProps) {
  const { step, status, act, rest, ms } = line;
  const tokens = step.request_tokens;
  const reported = step.usage?.input_tokens;
  const content = (
    <>
      <span className="w-2.5 flex-none text-right text-ink-3">{step.ordinal}</span>
      <Aspect status={status} size={13} />
      {act === "" ? null : <span className="mono flex-none">{act}</span>}
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2" title={rest}>
        {rest}
      </span>
      {tokens === undefined ? null : (
        <>
          <span aria-hidden className="h-1 w-8 flex-none overflow-hidden rounded-1 bg-raise">
            <i
              className="block h-full bg-ink-3"
              style={{ width: `${window === undefined ? 0 : Math.min(100, (tokens / window) * 100)}%` }}
            />
          </span>
          <span
            className="w-[34px] flex-none text-right text-ink-2"
            title={`estimated ${formatNumber(tokens)}${reported === undefined ? "" : ` · reported ${formatNumber(reported)}`}`}
          >
            {formatCompact(tokens)}
          </span>
        </>
      )}
      <span className="w-[50px] flex-none whitespace-nowrap text-right text-ink-3">
        {hasTimes && ms !== null ? formatDuration(status === "running" ? Math.floor(ms / 1000) * 1000 : ms) : ""}
      </span>
    </>
  );
  return (
    <Link
      href={`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(step.agent_turn_id)}?step=${step.ordinal}`}
      title="What the model was sent at this step, and what it answered"
      className="-mx-1.5 flex h-[26px] items-center gap-[7px] rounded-1 px-1.5 hover:bg-raise max-sm:h-11"
    >
      {content}
    </Link>
  );
}
