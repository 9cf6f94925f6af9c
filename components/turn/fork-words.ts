// What a fork will do, spelled out before it is done, and the request it is asked for with. Pure.
import { formatCount } from "@/components/ui/format";
import type { CardContent } from "@/server/contract/card";
import type { SeenMessage, StepSheet } from "@/server/contract/turn-sheet";

/** `was`: what the card holds, where it is known. */
export type Choice = { kind: "drop" } | { kind: "replace"; with: string; was?: CardContent | null };
/** By card; a card that is not in it goes on as it is. */
export type Choices = ReadonlyMap<string, Choice>;

/** The card that stands for a message: of an instruction with its facts, the instruction. */
export const cardOf = (message: SeenMessage): { card_id: string; type: string } | undefined => message.cards.at(-1);

export type ForkAsk = { replace: { card_id: string; with: string | CardContent }[]; drop: string[] };

/** What was written for a message that goes with its call all the same is not asked for. */
export function askOf(messages: readonly SeenMessage[], choices: Choices): ForkAsk {
  const followed = followers(messages, choices);
  const ask: ForkAsk = { replace: [], drop: [] };
  for (const [card_id, choice] of choices)
    if (choice.kind === "drop") ask.drop.push(card_id);
    else if (!followed.has(card_id)) ask.replace.push({ card_id, with: contentOf(choice.with, choice.was) });
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
  const { replace, drop } = askOf(messages, choices);
  const kept = messages.length - replace.length - drop.length - followed.size;
  const retold = messages.some((m) => m.role === "tool" && choices.get(cardOf(m)?.card_id ?? "")?.kind === "replace");
  return [
    `A new run begins with a fresh agent of the same profile version (${turn.profile_name}). It continues from step ${ordinal} of ${turn.headcode}.`,
    `${formatCount(kept, "message")} ${kept === 1 ? "goes" : "go"} on by reference${replace.length > 0 ? `, ${replace.length} replaced` : ""}${drop.length > 0 ? `, ${drop.length} dropped` : ""}.`,
    ...(followed.size > 0
      ? [
          `${formatCount(followed.size, "message")} more ${followed.size === 1 ? "goes" : "go"} with ${drop.length === 1 ? "it" : "them"}: providers refuse a call without its result and a result without its call.`,
        ]
      : []),
    ...(retold ? ["The call of a replaced result gets a new id, because a call has only one result."] : []),
    `${turn.headcode} does not change, and its caller is not notified.`,
  ];
}

/** What can be said of a step before it is forked; null = it can be. */
export function unforkable(sheet: StepSheet | undefined): string | null {
  if (sheet === undefined) return "The step is still running.";
  return sheet.request === undefined ? "This step has no recorded request, so you can't fork from it." : null;
}
