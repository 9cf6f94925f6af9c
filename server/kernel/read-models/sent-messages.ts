// Messages as an answer holds them: long texts cut, and each with the places of the cards that it was built from.
import type { SentMessage } from "@/server/contract/answers/box-as-sent";
import { isRecord } from "@/server/contract/is-record";
import type { Message } from "../context/message";

/** Of all messages together. */
const LETTERS_MAX = 1_000_000;
/** Of one message, and of the arguments of one call: longer ones are read on their card. */
const TEXT_MAX = 16_000;

/** By card id. */
type Places = ReadonlyMap<string, { type: string; position: number }>;

export const cutText = (text: string) => ({ text: text.slice(0, TEXT_MAX), letters: text.length });

/** The first ones, at least one. */
export function sentMessages(sent: readonly Message[], places: Places): SentMessage[] {
  const messages = sent.map((message) => messageOf(message, places));
  let letters = 0;
  const end = messages.findIndex(({ text, tool_calls }) => {
    letters += text.length + tool_calls.reduce((sum, call) => sum + call.arguments.length, 0);
    return letters > LETTERS_MAX;
  });
  return end < 0 ? messages : messages.slice(0, Math.max(1, end));
}

function messageOf(message: Message, places: Places): SentMessage {
  const { role, tokens, pictures, tool_call_id } = message;
  return {
    ...cutText(message.text),
    role,
    tokens,
    cards: message.card_ids.flatMap((card_id) => {
      const card = places.get(card_id);
      return card ? [{ card_id, type: card.type, position: card.position }] : [];
    }),
    tool_calls: (message.tool_calls ?? []).filter(isRecord).map(callOf),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(pictures && { pictures }),
  };
}

function callOf(call: Record<string, unknown>): SentMessage["tool_calls"][number] {
  const named = isRecord(call.function) ? call.function : {};
  const { text, letters } = cutText(textOf(named.arguments));
  return { id: textOf(call.id), tool_name: textOf(named.name), arguments: text, letters };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
