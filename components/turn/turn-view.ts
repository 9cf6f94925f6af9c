// What the inspector says of a turn, worked out from its frame and its detail. Pure.
import { type OriginKind, originKind } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { contentText } from "@/server/contract/card";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded, type Step } from "@/server/contract/turn";
import type { TurnDetail } from "@/server/contract/turn-detail";

/** "import:WebSurfer" is a WebSurfer. */
export const turnTitle = (turn: Pick<TurnFrame, "is_human" | "profile_name" | "agent_id">): string =>
  turn.is_human ? turn.agent_id.replace(/^human_(?=.)/, "") : turn.profile_name.replace(/^import:/, "");

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

export const originWords: Record<OriginKind, string> = {
  packed: "packed",
  inherited: "inherited",
  pointer: "pointer",
  system: "added",
  produced: "produced",
  profile: "profile",
};

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
    const [act = "", ...rest] = (step.error ?? step.note ?? "model").split(" ");
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
    const value = "value" in field ? field.value : undefined;
    return [{ name: String(field.name), value: typeof value === "string" ? value : JSON.stringify(value ?? null) }];
  });
}

export type Trouble = { title: string; cause: string; remedy?: string; command?: string };

/** Why a turn stands still or how it failed, and what helps. Null where nothing is wrong. */
export function troubleOf(turn: TurnFrame, now: number, starvedTargets: readonly string[]): Trouble | null {
  if (turn.status === "dispatched" && starvedTargets.includes(turn.worker_target))
    return {
      title: "Nobody has taken it",
      cause: `No worker takes turns for \`${turn.worker_target}\`.`,
      remedy: "Start one; the turn is claimed within a second.",
      command: "npm run worker",
    };
  const beat = beatOf(turn, now);
  if (beat?.isLate)
    return {
      title: "Its worker has gone quiet",
      cause: `The last beat was ${Math.round(beat.ageMs / 1000)} s ago.`,
      remedy:
        "After 60 s another worker takes the turn over under a new epoch and goes on from what is in its output box.",
    };
  if (turn.status !== "failed" && turn.status !== "timeout" && turn.error === undefined) return null;
  return {
    title: turn.error_code ?? (turn.status === "timeout" ? "A limit passed" : "It failed"),
    cause: turn.error ?? turn.note ?? "The turn ended without saying why.",
    remedy: remedies[turn.error_code ?? ""],
  };
}

const remedies: Record<string, string> = {
  timeout_reaped_by_watchdog:
    "Its workers stopped beating again and again. Look at the worker's log, then launch the turn anew.",
  recursion_depth_exceeded: "Turns at the limit may not delegate. Let a caller further up do it.",
  max_steps_exceeded: "Raise `max_steps` in its profile, or ask for less.",
  delegation_denied: "Allow the target in the caller's `delegation_policy`.",
  auth_failed: "Allow the target in the caller's `delegation_policy`.",
  unknown_profile: "Load the profile, or name one that exists.",
};
