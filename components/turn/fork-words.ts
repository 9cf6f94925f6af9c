// What a fork will do, spelled out before it is done, and the request it is asked for with. Pure.
import { formatCount } from "@/components/ui/format";
import type { SeenMessage, StepSheet } from "@/server/contract/turn-sheet";

export type Choice = { kind: "drop" } | { kind: "replace"; with: string };
/** By card; a card that is not in it goes on as it is. */
export type Choices = ReadonlyMap<string, Choice>;

/** The card that stands for a message: of an instruction with its facts, the instruction. */
export const cardOf = (message: SeenMessage): { card_id: string; type: string } | undefined => message.cards.at(-1);

export type ForkAsk = { replace: { card_id: string; with: string }[]; drop: string[] };

export function askOf(choices: Choices): ForkAsk {
  const ask: ForkAsk = { replace: [], drop: [] };
  for (const [card_id, choice] of choices)
    if (choice.kind === "drop") ask.drop.push(card_id);
    else ask.replace.push({ card_id, with: choice.with });
  return ask;
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
      return "A replacement is empty: write it, or drop the card.";
  return null;
}

export function forkLines(
  turn: { headcode: string; profile_name: string },
  { ordinal, messages }: { ordinal: number; messages: readonly SeenMessage[] },
  choices: Choices,
): string[] {
  const followed = followers(messages, choices);
  const { replace, drop } = askOf(choices);
  const kept = messages.length - replace.length - drop.length - followed.size;
  const retold = messages.some((m) => m.role === "tool" && choices.get(cardOf(m)?.card_id ?? "")?.kind === "replace");
  return [
    `A new run begins with a fresh agent of the same profile version (${turn.profile_name}). It stands where ${turn.headcode} stood at step ${ordinal}, and asks the model from there.`,
    `${formatCount(kept, "message")} ${kept === 1 ? "goes" : "go"} on by reference${replace.length > 0 ? `, ${replace.length} replaced` : ""}${drop.length > 0 ? `, ${drop.length} dropped` : ""}.`,
    ...(followed.size > 0
      ? [
          `${formatCount(followed.size, "message")} more ${followed.size === 1 ? "goes" : "go"} with ${drop.length === 1 ? "it" : "them"}: a call without its result, or a result without its call, is refused by every provider.`,
        ]
      : []),
    ...(retold ? ["The call of a replaced result gets a new id, since a call has one result for ever."] : []),
    `${turn.headcode} stays as it is, and nobody who waits for it is told.`,
  ];
}

/** What can be said of a step before it is forked; null = it can be. */
export function unforkable(sheet: StepSheet | undefined): string | null {
  if (sheet === undefined) return "The step is on its way.";
  return sheet.request === undefined ? "No request of this step was kept, so nothing can go on from it." : null;
}
