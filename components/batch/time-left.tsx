"use client";

// How long a running batch still has, as a clock that runs down; without a deadline, how long it has run.
import { clockText } from "@/components/domain/clock-text";
import { cn } from "@/components/ui/cn";
import { Elapsed } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import type { Batch } from "@/server/contract/batch";

export type TimeLeftProps = { batch: Pick<Batch, "created_at" | "deadline_at">; size?: "row" | "head" };

export function TimeLeft({ batch, size = "row" }: TimeLeftProps) {
  const now = useNow();
  const figure = size === "head" ? "narrow-figure text-[20px] leading-[26px] font-[650]" : "font-semibold";
  if (batch.deadline_at === undefined)
    return (
      <span className="flex items-baseline gap-1.5">
        <Elapsed since={batch.created_at} className={figure} />
        <span className="text-ink-3">so far; no deadline</span>
      </span>
    );
  const deadline = Date.parse(batch.deadline_at);
  const whole = deadline - Date.parse(batch.created_at);
  const left = now === 0 ? null : deadline - now;
  return (
    <span className="flex items-baseline gap-1.5 whitespace-nowrap" suppressHydrationWarning>
      <span className={cn(figure, left !== null && left <= 0 && "text-st-timeout")}>
        {left === null ? <span className="invisible">00:00</span> : clockText(left)}
      </span>
      <span className="text-ink-3">
        {left !== null && left <= 0 ? "left; it ends now" : `left of ${clockText(whole)}`}
      </span>
    </span>
  );
}
