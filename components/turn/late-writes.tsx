"use client";

// What a worker tried to write after it had lost the turn: refused, and shown.
import { Icon } from "@/components/ui/icon";
import { Section } from "@/components/ui/section";
import { Ago } from "@/components/ui/time";
import type { LateFrame, TurnFrame } from "@/server/contract/frame";

/** More of the same say nothing new. */
const SHOWN_MAX = 5;

export function LateWrites({ turn, late }: { turn: TurnFrame; late: readonly LateFrame[] }) {
  if (late.length === 0) return null;
  return (
    <Section title="A replaced worker is still writing" note={`${late.length} refused`}>
      <p className="mb-2 text-ink-2 leading-[1.45]">
        {turn.lease_holder === undefined ? "The turn" : `${turn.lease_holder} holds the turn now. It`} is at epoch{" "}
        <b className="text-ink">{turn.turn_epoch}</b>. Writes with an old epoch, or to a turn that is asleep or has
        ended, change nothing.
      </p>
      <ul className="flex flex-col gap-2">
        {late.slice(0, SHOWN_MAX).map((frame) => (
          <li key={frame.id} className="flex gap-2">
            <Icon name="warn" size={14} className="mt-0.5 flex-none text-st-partial" />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline gap-2">
                <span className="min-w-0 flex-1 truncate" title={frame.what}>
                  {frame.what}
                </span>
                {frame.created_at === undefined ? null : <Ago at={frame.created_at} className="flex-none text-ink-3" />}
              </p>
              <p className="text-ink-3">
                by <span className="mono text-ink-2">{frame.worker_id ?? "a worker without a name"}</span>,{" "}
                {lateWords(frame)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {late.length > SHOWN_MAX ? <p className="mt-1.5 text-ink-3">and {late.length - SHOWN_MAX} before these</p> : null}
    </Section>
  );
}

/** Why it changed nothing. */
export function lateWords(late: Pick<LateFrame, "turn_epoch" | "current_epoch" | "what">): string {
  if (late.what.startsWith("result of ")) return "after its call was over";
  return late.turn_epoch === late.current_epoch
    ? `epoch ${late.turn_epoch}, while the turn was asleep, not started or ended`
    : `epoch ${late.turn_epoch} against ${late.current_epoch}`;
}
