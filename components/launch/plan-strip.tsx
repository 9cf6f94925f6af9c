"use client";

// The launch as a piece of track: the person, what is loaded, and the wagon that will stand there. The route lights when
// it may go; a refusal ends it at a red buffer stop.
import type { ReactNode } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { formatCompact, formatCount } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { KindMark } from "@/components/ui/kind-mark";
import { kindNames } from "@/components/ui/sign-words";
import type { LaunchBlock } from "./launch-state";
import type { LaunchTarget } from "./launch-url";
import { type LoadItem, split } from "./load-item";
import { type Answer, seenConsist, totalTokens, windowTokens } from "./seen-cards";

export type PlanStripProps = {
  person: string;
  load: readonly LoadItem[];
  target: LaunchTarget | null;
  /** A context pack is handed over too. */
  hasPack: boolean;
  answer: Answer | null;
  block: LaunchBlock | null;
};

export function PlanStrip({ person, load, target, hasPack, answer, block }: PlanStripProps) {
  const isRefused = block?.tone === "failed";
  const state = isRefused ? "refused" : block === null ? "set" : "open";
  const { boxes, cards } = split(load);
  const loads = [
    ...(boxes.length > 0 ? [formatCount(boxes.length, "box", "boxes")] : []),
    ...(cards.length > 0 ? [formatCount(cards.length, "card")] : []),
    ...(hasPack ? ["a context pack"] : []),
  ];
  return (
    <div className="plan-strip" data-state={state}>
      <HumanMark name={person} size={32} className="plan-human" />
      <span className="plan-track" />
      <Wagon isDraft={loads.length === 0} className="w-32">
        <b>{loads.length === 0 ? "No context" : "Hand over"}</b>
        <span className="truncate text-ink-2">{loads.length === 0 ? "instruction only" : loads.join(", ")}</span>
      </Wagon>
      <span className="plan-track plan-chevron" />
      {isRefused ? (
        <svg className="plan-stop" width="14" height="22" viewBox="0 0 14 22" aria-hidden="true">
          <path d="M4 3v16M10 6v10" />
        </svg>
      ) : null}
      <Wagon isDraft={target === null} isRefused={isRefused} className="w-64">
        <span className="flex min-w-0 items-center gap-1.5">
          <KindMark kind={target?.target_strategy ?? "new"} size={14} className="text-ink-2" label={null} />
          {target === null ? null : (
            <AgentMark
              agentId={target.target_ref}
              profile={answer?.target.profile_name ?? target.target_ref}
              size={16}
            />
          )}
          <b className="min-w-0 flex-1 truncate">{nameOf(target, answer)}</b>
          {answer === null ? null : <span className="text-ink-3">{formatCompact(totalTokens(answer))}</span>}
        </span>
        <span className="flex min-w-0 items-center gap-1.5">
          {isRefused ? <Aspect status="failed" size={14} label={null} /> : null}
          <span className={`truncate ${isRefused ? "text-st-failed" : "text-ink-2"}`}>
            {isRefused ? block.reason : whoOf(target, answer)}
          </span>
        </span>
        {answer === null || isRefused ? null : (
          <Consist cards={seenConsist(answer)} window={windowTokens(answer)} height={5} className="plan-load" />
        )}
      </Wagon>
      <span className="plan-track plan-ahead" />
    </div>
  );
}

function Wagon({
  isDraft,
  isRefused = false,
  className,
  children,
}: {
  isDraft: boolean;
  isRefused?: boolean;
  className: string;
  children: ReactNode;
}) {
  return (
    <div className={`plan-wagon ${className}`} data-draft={isDraft || undefined} data-refused={isRefused || undefined}>
      {children}
    </div>
  );
}

function nameOf(target: LaunchTarget | null, answer: Answer | null): string {
  if (target === null) return "No target selected";
  return target.target_strategy === "new" ? (answer?.target.profile_name ?? target.target_ref) : target.target_ref;
}

function whoOf(target: LaunchTarget | null, answer: Answer | null): string {
  if (target === null) return "choose who should do it";
  if (target.target_strategy === "new") return kindNames.new;
  const profile = answer === null ? "" : ` of ${answer.target.profile_name}`;
  if (target.target_strategy === "clone") return `${kindNames.clone}${profile}`;
  const ahead = answer?.queue_ahead ?? 0;
  return `${kindNames.reuse}${profile}${ahead > 0 ? `, behind ${formatCount(ahead, "turn")}` : ""}`;
}
