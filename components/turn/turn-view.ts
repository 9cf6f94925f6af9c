// What the inspector says of a turn, worked out from its frame and its detail. Pure.
import { personName, profileLabel } from "@/components/domain/agent-names";
import { clockText } from "@/components/domain/clock-text";
import { formatDuration } from "@/components/ui/format";
import { asText } from "@/server/contract/as-text";
import { type OriginKind, originKind } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { contentText } from "@/server/contract/card";
import { failureOf } from "@/server/contract/failure-codes";
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnTaker } from "@/server/contract/health";
import { isEnded, type Step } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";

export const turnTitle = (turn: Pick<TurnFrame, "is_human" | "profile_name" | "agent_id">): string =>
  turn.is_human ? personName(turn.agent_id) : profileLabel(turn.profile_name);

export function ranMs(turn: TurnFrame, now: number): number | null {
  const since = turn.started_at ?? (isEnded(turn.status) ? undefined : turn.created_at);
  if (since === undefined || now === 0) return null;
  return Math.max(0, Date.parse(turn.ended_at ?? new Date(now).toISOString()) - Date.parse(since));
}

/** A worker beats every 10 s; after 60 s without a beat the turn is taken over. */
const BEAT_LATE_MS = 25_000;

export function beatOf(turn: TurnFrame, now: number): { ageMs: number; isLate: boolean } | null {
  if (turn.status !== "running" || turn.heartbeat_at === undefined || now === 0) return null;
  const ageMs = Math.max(0, now - Date.parse(turn.heartbeat_at));
  return { ageMs, isLate: ageMs > BEAT_LATE_MS };
}

export type OriginCount = { kind: OriginKind; cards: number };

/** Cards of the context by where they came from, in the order the model reads them. */
export function originCounts(origins: TurnDetail["context_origins"]): OriginCount[] {
  const counts = new Map<OriginKind, number>();
  for (const { origin, cards } of origins) {
    const kind = originKind(origin);
    counts.set(kind, (counts.get(kind) ?? 0) + cards);
  }
  return [...counts].map(([kind, cards]) => ({ kind, cards }));
}

export type StepLine = {
  step: Step;
  status: "running" | "success" | "failed";
  /** The tool or the act, set in mono, and what of. */
  act: string;
  rest: string;
  ms: number | null;
};

export function stepLines(steps: readonly Step[], now: number): StepLine[] {
  return steps.map((step) => {
    const words = (step.error ?? step.note ?? "model").split(" ");
    // An error may be a sentence, and its first word no name.
    const isSentence = step.error !== undefined && !words[0]?.includes("_");
    const [act = "", ...rest] = isSentence ? ["", ...words] : words;
    const until = step.ended_at === undefined ? now : Date.parse(step.ended_at);
    return {
      step,
      status: step.status === "started" ? "running" : step.status === "completed" ? "success" : "failed",
      act,
      rest: rest.join(" "),
      ms: until === 0 ? null : Math.max(0, until - Date.parse(step.started_at)),
    };
  });
}

export type DeliverableView =
  | { kind: "text"; text: string; isFallback: boolean }
  | { kind: "fields"; fields: { name: string; value: string }[]; isFallback: boolean };

/** Fields where there are fields, else the words as they stand. */
export function deliverableView(card: Card): DeliverableView {
  const isFallback = card.metadata.is_fallback === true;
  if (card.content?.kind === "json") {
    const fields = fieldsOf(card.content.data);
    if (fields.length > 0) return { kind: "fields", fields, isFallback };
  }
  return { kind: "text", text: contentText(card.content), isFallback };
}

function fieldsOf(data: unknown): { name: string; value: string }[] {
  const list = typeof data === "object" && data !== null && "fields" in data ? data.fields : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((field: unknown) => {
    if (typeof field !== "object" || field === null || !("name" in field)) return [];
    return [{ name: asText(field.name), value: asText(("value" in field ? field.value : undefined) ?? null) }];
  });
}

/** "11:47 left", "1:02:09 left"; past its time it is looked after within seconds. */
export function leftWords(ms: number): string {
  return ms <= 0 ? "deadline passed" : `${clockText(ms)} left`;
}

/** `code` where the title says it in words. */
export type Trouble = { title: string; cause: string; remedy?: string; code?: string; command?: string };

/** A turn that has been due for longer than this is looked after. */
const UNCLAIMED_MS = 10_000;

function unclaimedMs(turn: TurnFrame, now: number): number | null {
  if (turn.status !== "dispatched" || turn.is_human || now === 0) return null;
  return now - Date.parse(turn.leased_at ?? turn.created_at);
}

/** Why a turn waits or how it failed, and the remedy. Null if nothing is wrong. */
export function troubleOf(turn: TurnFrame, now: number, taker: TurnTaker | undefined): Trouble | null {
  if (turn.status === "dispatched" && taker?.is_served === false)
    return taker.needs_own_worker
      ? {
          title: "Not claimed",
          cause: `Its profile names no model: only a worker of this project that asks for \`${turn.worker_target}\` takes it, and none is there.`,
          remedy: "Start that worker; or name a model in the profile, stop this turn and launch it again.",
        }
      : {
          title: "Not claimed",
          cause: `No worker takes turns for \`${turn.worker_target}\`.`,
          remedy: "Start one. It claims the turn within a second.",
          command: "npm run worker",
        };
  const unclaimed = unclaimedMs(turn, now);
  if (unclaimed !== null && unclaimed > UNCLAIMED_MS)
    return {
      title: "Not claimed yet",
      cause: `Workers for \`${turn.worker_target}\` are running, but none has claimed this turn for ${Math.round(unclaimed / 1000)} s. They may be busy.`,
      remedy: "Start another worker, or wait. The turn stays queued until you stop it or its batch's deadline passes.",
      command: "npm run worker",
    };
  const beat = beatOf(turn, now);
  if (beat?.isLate)
    return {
      title: "Its worker is silent",
      cause: `The last heartbeat was ${formatDuration(beat.ageMs)} ago.`,
      remedy: "After 60 s another worker takes over the turn with a new epoch and continues from the output box.",
    };
  if (turn.status !== "failed" && turn.status !== "timeout" && turn.error === undefined) return null;
  const failure = failureOf(turn.error_code);
  return {
    title: failure?.cause ?? turn.error_code ?? (turn.status === "timeout" ? "Limit reached" : "The turn failed"),
    cause: turn.error ?? turn.note ?? "The turn ended without a reason.",
    ...(failure && { remedy: failure.remedy, code: turn.error_code }),
  };
}
