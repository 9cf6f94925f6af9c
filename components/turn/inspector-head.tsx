"use client";

// Who the turn is and what it does now.
import { statusWords } from "@/components/domain/status-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { formatAgo, formatCount, formatDuration } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { IconButton } from "@/components/ui/icon-button";
import { Plate } from "@/components/ui/plate";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";
import { beatOf, ranMs, turnTitle } from "./turn-view";

export type InspectorHeadProps = {
  turn: TurnFrame;
  detail: TurnDetail | undefined;
  now: number;
  hasTimes: boolean;
  variant: "panel" | "sheet";
  onClose: () => void;
};

export function InspectorHead({ turn, detail, now, hasTimes, variant, onClose }: InspectorHeadProps) {
  const beat = beatOf(turn, now);
  const ran = hasTimes ? ranMs(turn, now) : null;
  const facts = [
    ran === null ? null : formatDuration(isEnded(turn.status) || ran < 1000 ? ran : Math.floor(ran / 1000) * 1000),
    turn.step_count > 0
      ? turn.status === "running"
        ? `step ${turn.step_count}`
        : formatCount(turn.step_count, "step")
      : null,
    turn.attempt > 1 ? `attempt ${turn.attempt}` : null,
  ].filter((fact) => fact !== null);
  return (
    <header className={`flex-none border-line border-b px-4 pb-3 ${variant === "sheet" ? "pt-1" : "pt-3.5"}`}>
      <div className="flex items-center gap-[9px]">
        <div className="min-w-0 flex-1">
          <h2 className="flex min-w-0 items-center gap-1.5 text-title">
            {turn.is_human ? (
              <HumanMark name={turnTitle(turn)} size={16} />
            ) : (
              <AgentMark agentId={turn.agent_id} profile={turn.profile_name} size={16} />
            )}
            <span dir="auto" className="truncate">
              {turnTitle(turn)}
            </span>
            <Plate code={turn.headcode} tone="ink" className="flex-none" title="Headcode" />
          </h2>
          <p className="mono truncate text-ink-3" title={turn.agent_id}>
            {turn.agent_id}
          </p>
        </div>
        <CopyButton text={() => linkOf(turn)} label="Copy the link" />
        <IconButton icon="x" label="Close" keys="esc" iconSize={15} onClick={onClose} />
      </div>
      <p className="mt-3 flex items-center gap-[7px]">
        <Aspect status={turn.status} size={16} label={null} />
        <b>{statusWords[turn.status]}</b>
        <span className="min-w-0 truncate text-ink-2">{facts.join(", ")}</span>
        <span className="flex-1" />
        {beat === null ? null : (
          <span className={cn("whitespace-nowrap", beat.isLate ? "font-semibold text-st-partial" : "text-ink-3")}>
            beat {formatAgo(now - beat.ageMs, now)}
          </span>
        )}
      </p>
      <Now turn={turn} detail={detail} now={now} />
    </header>
  );
}

/** The step under way, as long as one is. */
function Now({ turn, detail, now }: Pick<InspectorHeadProps, "turn" | "detail" | "now">) {
  if (turn.status !== "running" || turn.note === undefined) return null;
  const step = detail?.steps.find((one) => one.status === "started");
  const [first = "", ...rest] = turn.note.split(" ");
  // The name of a tool is set as one; most notes are words.
  const isTool = first.includes("_");
  return (
    <div className="mt-[11px] flex h-[30px] items-center gap-2 overflow-hidden rounded-1 border-st-running border-b-2 bg-wash-run px-2.5">
      {isTool ? <span className="mono flex-none">{first}</span> : null}
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
        {isTool ? rest.join(" ") : turn.note}
      </span>
      {step && now > 0 ? (
        <span>{formatDuration(Math.max(0, Math.floor((now - Date.parse(step.started_at)) / 1000)) * 1000)}</span>
      ) : null}
    </div>
  );
}

/** Built when it is copied: the address of this very screen, with the run named, so that it holds tomorrow. */
function linkOf(turn: TurnFrame): string {
  const url = new URL(window.location.href);
  url.search = new URLSearchParams({ run: turn.root_turn_id, turn: turn.agent_turn_id }).toString();
  return url.toString();
}
