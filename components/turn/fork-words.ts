// What a fork will do, spelled out before it is done, and the request it is asked for with. Pure.
import { formatCount } from "@/components/ui/format";
import type { CardContent } from "@/server/contract/card";
import type { SeenMessage, StepSheet } from "@/server/contract/turn-sheet";
import { cardOf, goingOf, partLine } from "./fork-cards";

/** `was`: what the card holds, where it is known. */
export type Choice = { kind: "drop" } | { kind: "replace"; with: string; was?: CardContent | null };
/** By the card that stands for the message (cardOf); a message that is not in it goes on as it is. */
export type Choices = ReadonlyMap<string, Choice>;

export type ForkAsk = { replace: { card_id: string; with: string | CardContent }[]; drop: string[] };

/**
 * All cards of a message that is dropped; of one that is replaced, a card gets the text and the others go. What was written for
 * a message that goes with its call all the same is not asked for.
 */
export function askOf(messages: readonly SeenMessage[], choices: Choices): ForkAsk {
  const followed = followers(messages, choices);
  const ask: ForkAsk = { replace: [], drop: [] };
  for (const message of messages) {
    const card_id = cardOf(message)?.card_id ?? "";
    const choice = choices.get(card_id);
    if (choice === undefined || followed.has(card_id)) continue;
    const isReplaced = choice.kind === "replace";
    if (isReplaced) ask.replace.push({ card_id, with: contentOf(choice.with, choice.was) });
    ask.drop.push(...goingOf(message).flatMap((card) => (isReplaced && card.card_id === card_id ? [] : card.card_id)));
  }
  return ask;
}

/**
 * A result is shown as JSON and edited as such: sent as a text it would reach the model in quotation marks, each of its own
 * escaped. What is no JSON is a text.
 */
export function contentOf(text: string, was: CardContent | null | undefined): string | CardContent {
  if (was?.kind !== "tool_result") return text;
  try {
    const value: unknown = JSON.parse(text);
    const error = was.error === undefined ? null : asError(value);
    if (error !== null) return { kind: "tool_result", status: was.status, error };
    const status = was.status === "partial" ? "partial" : "success";
    return { kind: "tool_result", status, result: value as Json };
  } catch {
    return text;
  }
}

type Result = Extract<CardContent, { kind: "tool_result" }>;
type Json = Result["result"];

/** Another error in the place of one; anything else in its place is a result. */
function asError(value: unknown): NonNullable<Result["error"]> | null {
  if (typeof value !== "object" || value === null || !("code" in value) || !("message" in value)) return null;
  const { code, message } = value;
  return typeof code === "string" && typeof message === "string" ? { ...value, code, message } : null;
}

/** Messages that go although nobody named them: the other half of a dropped call. By card. */
export function followers(messages: readonly SeenMessage[], choices: Choices): ReadonlySet<string> {
  const isDropped = (message: SeenMessage) => choices.get(cardOf(message)?.card_id ?? "")?.kind === "drop";
  const gone = new Set(
    messages.filter(isDropped).flatMap((m) => [...m.tool_calls.map((call) => call.id), m.tool_call_id ?? ""]),
  );
  gone.delete("");
  return new Set(
    messages
      .filter((m) => !isDropped(m))
      .filter(
        (m) =>
          (m.tool_call_id !== undefined && gone.has(m.tool_call_id)) ||
          (m.tool_calls.length > 0 && m.text.trim() === "" && m.tool_calls.every((call) => gone.has(call.id))),
      )
      .flatMap((m) => cardOf(m)?.card_id ?? []),
  );
}

/** What stands between a person and the fork; null = nothing. */
export function refusalOf(choices: Choices): string | null {
  for (const choice of choices.values())
    if (choice.kind === "replace" && choice.with.trim() === "")
      return "The replacement is empty. Enter text or remove the card.";
  return null;
}

export function forkLines(
  turn: { headcode: string; profile_name: string },
  { ordinal, messages }: { ordinal: number; messages: readonly SeenMessage[] },
  choices: Choices,
): string[] {
  const followed = followers(messages, choices);
  const fates = messages.map((message) => fateOf(message, choices, followed));
  const count = (fate: Fate) => fates.filter((one) => one === fate).length;
  const [kept, replaced, dropped] = [count("keep"), count("replace"), count("drop")];
  const retold = messages.some((m, i) => m.role === "tool" && fates[i] === "replace");
  return [
    `A new run begins with a fresh agent of the same profile version (${turn.profile_name}). It continues from step ${ordinal} of ${turn.headcode}.`,
    `${formatCount(kept, "message")} ${kept === 1 ? "goes" : "go"} on by reference${replaced > 0 ? `, ${replaced} replaced` : ""}${dropped > 0 ? `, ${dropped} dropped` : ""}.${inCards(messages, choices, followed)}`,
    ...messages.flatMap((message, i) => {
      const fate = fates[i] ?? "keep";
      return fate === "keep" ? [] : partLine(message, i + 1, fate === "replace" ? "replace" : "drop");
    }),
    ...(followed.size > 0
      ? [
          `${formatCount(followed.size, "message")} more ${followed.size === 1 ? "goes" : "go"} with ${dropped === 1 ? "it" : "them"}: providers refuse a call without its result and a result without its call.`,
        ]
      : []),
    ...(retold ? ["The call of a replaced result gets a new id, because a call has only one result."] : []),
    `${turn.headcode} does not change, and its caller is not notified.`,
  ];
}

type Fate = "keep" | Choice["kind"] | "follow";

function fateOf(message: SeenMessage, choices: Choices, followed: ReadonlySet<string>): Fate {
  const card_id = cardOf(message)?.card_id ?? "";
  return followed.has(card_id) ? "follow" : (choices.get(card_id)?.kind ?? "keep");
}

/** Nothing where each message is one card: the number of messages says it. */
function inCards(messages: readonly SeenMessage[], choices: Choices, followed: ReadonlySet<string>): string {
  if (messages.every(({ cards }) => cards.length === 1)) return "";
  const { replace, drop } = askOf(messages, choices);
  const gone = messages.filter((message) => fateOf(message, choices, followed) === "follow").flatMap(goingOf).length;
  const all = messages.reduce((sum, { cards }) => sum + cards.length, 0);
  const parts = [
    `${all - replace.length - drop.length - gone} by reference`,
    ...(replace.length > 0 ? [`${replace.length} replaced`] : []),
    ...(drop.length + gone > 0 ? [`${drop.length + gone} dropped`] : []),
  ];
  return ` Of their ${formatCount(all, "card")}: ${parts.join(", ")}.`;
}

/** What can be said of a step before it is forked; null = it can be. */
export function unforkable(sheet: StepSheet | undefined): string | null {
  if (sheet === undefined) return "The step is still running.";
  return sheet.request === undefined ? "This step has no recorded request, so you can't fork from it." : null;
}
