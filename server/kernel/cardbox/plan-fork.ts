// Which cards a fork gets, derived from what its original was given, what it had written, and what should differ. Pure.
//
// Providers refuse a call without its result and a result without its call, so a change of one half is a change of both:
// - a result, a call or the thought that called is dropped: all three go, except the thought's text and its other calls;
// - a result is replaced: its call gets a new id, since a call can have only one result (so the thought is rewritten).
import type { Card, CardContent, NewCard } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { type ForkBody, isHalfOfCall, isWrittenCard } from "@/server/contract/fork-turn";
import { taskOf } from "./task-of";

/** A card that is kept by reference, or one written in its place. */
export type ForkItem<C extends Card = Card> = { card: C; fresh?: NewCard };

export type ForkPlanInput<C extends Card> = {
  ordinal: number;
  /** Cards of the step's request box. */
  request_ids: ReadonlySet<string>;
  /** Memory and context of the original, then its own cards up to the step. */
  cards: readonly C[];
  instruction_card_id: string | null;
  replace: ForkBody["replace"];
  drop: readonly string[];
  newCallId: () => string;
};

export type ForkPlan<C extends Card> = {
  items: ForkItem<C>[];
  /** Left out although nobody named them. */
  followed: string[];
};

export function planFork<C extends Card>(input: ForkPlanInput<C>): ForkPlan<C> {
  const known = new Map(input.cards.map((card) => [card.card_id, card]));
  input.drop.forEach((card_id, i) => {
    refuseDrop(input, known.get(card_id), card_id, `drop.${i}`);
  });
  input.replace.forEach((one, i) => {
    refuseReplace(input, known.get(one.card_id), one, `replace.${i}`);
  });
  const dropped = new Set(input.drop);
  const replaced = new Map(input.replace.map((one) => [one.card_id, one.with]));
  const calls = callChanges(input, known, dropped, replaced);
  const followed: string[] = [];
  const items = input.cards.flatMap((card): ForkItem<C>[] => {
    if (dropped.has(card.card_id)) return [];
    const item = itemOf(card, replaced.get(card.card_id), calls);
    if (item === null) followed.push(card.card_id);
    return item === null ? [] : [item];
  });
  return { items, followed };
}

// --- what may not be changed

function refuseDrop(input: ForkPlanInput<Card>, card: Card | undefined, card_id: string, path: string): void {
  const seen = seenCard(input, card, card_id, path);
  if (seen.card_id === input.instruction_card_id)
    throw new KernelError(
      "bad_request",
      `${path}: card ${card_id} is the instruction, which an agent needs; replace it instead`,
    );
  if (input.drop.filter((id) => id === card_id).length > 1)
    throw new KernelError("bad_request", `${path}: card ${card_id} is named twice; name it once`);
}

function refuseReplace(
  input: ForkPlanInput<Card>,
  card: Card | undefined,
  { card_id, with: content }: ForkBody["replace"][number],
  path: string,
): void {
  const seen = seenCard(input, card, card_id, path);
  if (input.drop.includes(card_id) || input.replace.filter((one) => one.card_id === card_id).length > 1)
    throw new KernelError("bad_request", `${path}: card ${card_id} is named twice; replace it once, or drop it`);
  if (seen.type === "tool.call")
    throw new KernelError(
      "bad_request",
      `${path}: card ${card_id} is a call that was made; replace its result, or drop it and let the model call again`,
    );
  if (typeof content === "string") {
    if (content.trim() === "")
      throw new KernelError("bad_request", `${path}.with is empty; drop the card or give a replacement`);
    return;
  }
  if (content.kind === "tool_call" || (content.kind === "tool_result") !== (seen.type === "tool.result"))
    throw new KernelError(
      "bad_request",
      `${path}.with is a ${content.kind}, and card ${card_id} is a ${seen.type}; give a text, or content of its kind`,
    );
}

/** The same answer for a card of another project and for one that does not exist (K11). */
function seenCard(input: ForkPlanInput<Card>, card: Card | undefined, card_id: string, path: string): Card {
  const isAnnounced = card?.type === "tool.call";
  if (!card && input.request_ids.has(card_id)) throw notOurs(path, card_id);
  if (!card || !(input.request_ids.has(card_id) || isAnnounced))
    throw new KernelError(
      "bad_request",
      `${path}: card ${card_id} is not in the request of step ${input.ordinal}; take a card of messages?step=${input.ordinal}`,
    );
  if (isWrittenCard(card.type)) throw notOurs(path, card_id);
  return card;
}

const notOurs = (path: string, card_id: string) =>
  new KernelError(
    "bad_request",
    `${path}: card ${card_id} is written by Switchyard from the profile and the delegation; rerun the turn with another profile instead`,
  );

// --- both halves of a call

type CallChanges = {
  /** Calls that were never made. */
  gone: ReadonlySet<string>;
  /** Calls whose result is replaced: old id to new. */
  renamed: ReadonlyMap<string, string>;
};

function callChanges(
  input: ForkPlanInput<Card>,
  known: ReadonlyMap<string, Card>,
  dropped: ReadonlySet<string>,
  replaced: ReadonlyMap<string, unknown>,
): CallChanges {
  const gone = new Set<string>();
  for (const id of dropped) {
    const card = known.get(id);
    if (card === undefined) continue;
    const own = callIdOf(card);
    if (own !== undefined && isHalfOfCall(card.type)) gone.add(own);
    for (const call of callsOf(card)) gone.add(call.id);
  }
  const renamed = new Map<string, string>();
  for (const id of replaced.keys()) {
    const card = known.get(id);
    const call = card?.type === "tool.result" ? callIdOf(card) : undefined;
    if (call !== undefined && !gone.has(call)) renamed.set(call, input.newCallId());
  }
  return { gone, renamed };
}

/** null = it goes with its other half. */
function itemOf<C extends Card>(
  card: C,
  content: string | CardContent | undefined,
  { gone, renamed }: CallChanges,
): ForkItem<C> | null {
  const call = isHalfOfCall(card.type) ? callIdOf(card) : undefined;
  if (call !== undefined && gone.has(call)) return null;
  const calls = callsOf(card);
  const isTouched = calls.some(({ id }) => gone.has(id) || renamed.has(id));
  const new_id = call === undefined ? undefined : renamed.get(call);
  if (content === undefined && !isTouched && new_id === undefined) return { card };
  const left = calls.flatMap(({ id, whole }) => (gone.has(id) ? [] : [{ ...whole, id: renamed.get(id) ?? id }]));
  const text = card.content?.kind === "text" ? card.content.text : "";
  if (content === undefined && calls.length > 0 && left.length === 0 && text.trim() === "") return null;
  const fresh = copyOf(card, content === undefined ? card.content : contentOf(card, content));
  return {
    card,
    fresh: {
      ...fresh,
      ...(calls.length > 0 && { tool_calls: left.length > 0 ? (left as NewCard["tool_calls"]) : undefined }),
      ...(new_id !== undefined && { tool_call_id: new_id }),
    },
  };
}

function callIdOf(card: Card): string | undefined {
  const { tool_call_id } = card.metadata;
  return card.tool_call_id ?? (typeof tool_call_id === "string" ? tool_call_id : undefined);
}

function callsOf({ tool_calls }: Card): { id: string; whole: Record<string, unknown> }[] {
  return (tool_calls ?? []).flatMap((whole) =>
    whole !== null && typeof whole === "object" && "id" in whole && typeof whole.id === "string"
      ? [{ id: whole.id, whole: { ...whole } }]
      : [],
  );
}

// --- a card in another one's place

/** The metadata that links the cards of a turn; the caller sets the author of the copy. */
const KEPT = ["step_id", "script_step", "function_name", "provider_call_id", "after_execution"];

function copyOf(card: Card, content: CardContent | null): NewCard {
  const kept = Object.entries(card.metadata).filter(([key]) => KEPT.includes(key));
  return {
    type: card.type,
    role: card.role,
    content: content ?? "",
    ...(card.tool_calls && { tool_calls: card.tool_calls as NewCard["tool_calls"] }),
    ...(card.tool_call_id !== undefined && { tool_call_id: card.tool_call_id }),
    metadata: { ...(Object.fromEntries(kept) as NewCard["metadata"]), ...standsFor(card), replaces: card.card_id },
  };
}

const standsFor = (card: Card): { stands_for?: string } =>
  card.type === "task.instruction" ? { stands_for: taskOf(card) } : {};

function contentOf(card: Card, content: string | CardContent): CardContent {
  if (typeof content !== "string") return content;
  if (card.type !== "tool.result") return { kind: "text", text: content };
  const status = card.content?.kind === "tool_result" ? card.content.status : "success";
  return status === "success" || status === "partial"
    ? { kind: "tool_result", status, result: content }
    : { kind: "tool_result", status: "success", result: content };
}
