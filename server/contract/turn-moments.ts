// How a turn stood at each of its dated changes, made of its row and its steps as they are now (told-by-times.ts).
import type { Role } from "./card";
import { appendConsist } from "./consist";
import type { TurnFrame } from "./frame";

/** Steps of a turn in their order. */
export type DatedStep = { started_at: string; ended_at?: string; tokens_in: number; tokens_out: number };
/** A card that a turn wrote. */
export type DatedCard = { created_at: string; role: Role; tokens: number };
/** It waited for a batch or a person; `to` is absent while it does. */
export type Wait = { from: number; to: number | undefined };
export type Moment<F> = { at: number; frame: F };

/** Its cards in the order of time; none where nothing dates them. */
export type Dated = { steps: readonly DatedStep[]; waits: readonly Wait[]; cards: readonly DatedCard[] };

export function turnMoments(turn: TurnFrame, { steps, waits, cards }: Dated): Moment<TurnFrame>[] {
  const end = timeOf(turn.ended_at);
  const before = turn.ended_at === undefined ? turn : unended(turn);
  const changes: { at: number; change: Partial<TurnFrame> }[] = [];
  const say = (at: number | undefined, change: Partial<TurnFrame>) => {
    if (at !== undefined && (end === undefined || at < end)) changes.push({ at, change });
  };
  say(timeOf(turn.leased_at), { status: "dispatched", leased_at: turn.leased_at });
  say(timeOf(turn.started_at), { status: "running", started_at: turn.started_at });
  let spent = { tokens_in: 0, tokens_out: 0 };
  for (const [index, step] of steps.entries()) {
    say(timeOf(step.started_at), { status: "running", step_count: index + 1 });
    spent = { tokens_in: spent.tokens_in + step.tokens_in, tokens_out: spent.tokens_out + step.tokens_out };
    say(timeOf(step.ended_at), spent);
  }
  for (const { at, ...written } of writings(cards)) say(at, written);
  for (const { from, to } of waits) {
    say(from, { status: "suspended" });
    say(to, { status: "running" });
  }
  const born = Date.parse(turn.created_at);
  let state: TurnFrame = {
    ...before,
    status: "queued",
    leased_at: undefined,
    started_at: undefined,
    heartbeat_at: undefined,
    step_count: 0,
    tokens_in: 0,
    tokens_out: 0,
    note: undefined,
    ...nothing,
  };
  const moments: Moment<TurnFrame>[] = [{ at: born, frame: state }];
  for (const { at, change } of changes.toSorted((a, b) => a.at - b.at)) {
    state = { ...state, ...change };
    moments.push({ at: Math.max(born, at), frame: state });
  }
  const last = moments.at(-1);
  if (end !== undefined) moments.push({ at: Math.max(born, end), frame: turn });
  // Of one that goes on: as it is now since its last dated change.
  else if (last) moments[moments.length - 1] = { at: last.at, frame: turn };
  return moments;
}

type Written = Pick<TurnFrame, "output_cards" | "output_tokens" | "output_consist">;
const nothing: Written = { output_cards: 0, output_tokens: 0, output_consist: "" };

/** What it had written at each moment: cards of one moment came together. */
function writings(cards: readonly DatedCard[]): (Written & { at: number })[] {
  const told: (Written & { at: number })[] = [];
  for (const { created_at, role, tokens } of cards) {
    const at = Date.parse(created_at);
    const before = told.at(-1);
    const { output_cards, output_tokens, output_consist } = before ?? nothing;
    const next = {
      at,
      output_cards: output_cards + 1,
      output_tokens: output_tokens + tokens,
      output_consist: appendConsist(output_consist, [{ role, tokens }]),
    };
    if (before?.at === at) told[told.length - 1] = next;
    else told.push(next);
  }
  return told;
}

/** Without what its end has brought. */
const unended = (turn: TurnFrame): TurnFrame => ({
  ...turn,
  ended_at: undefined,
  deliverable_card_id: undefined,
  error: undefined,
  error_code: undefined,
  cost: undefined,
  sent_tokens: undefined,
  fullest_tokens: undefined,
});

export const timeOf = (at: string | undefined): number | undefined => (at === undefined ? undefined : Date.parse(at));
