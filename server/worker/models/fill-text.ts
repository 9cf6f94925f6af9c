// Placeholders of scripted texts. One pass: a value is never scanned for placeholders again.
import type { Card } from "@/server/contract/card";

export type Fillings = {
  instruction: string;
  display_name: string;
  context_box_id: string;
  output_box_id: string;
  /** Result of each tool call of the turn, in the order of the calls; undefined while it is out. */
  results: unknown[];
};

const PLACEHOLDER = /\{(instruction|display_name|context_box_id|output_box_id|result\.[1-9]\d*(?:\.[\w-]+)*)\}/g;

/** Unknown placeholders stay as they are. An object or a list becomes JSON. */
export function fillText(text: string, fillings: Fillings): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = fillingOf(name, fillings);
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** Every text inside a value. A text that is one placeholder and nothing else takes the value with its type. */
export function fillValue(value: unknown, fillings: Fillings): unknown {
  if (typeof value === "string") {
    const [whole] = value.match(PLACEHOLDER) ?? [];
    return (whole === value ? fillingOf(value.slice(1, -1), fillings) : undefined) ?? fillText(value, fillings);
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, fillings));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, fillings)]));
  return value;
}

/** Results of the turn's tool calls, from its own output cards. */
export function resultsOf(own_cards: Card[]): unknown[] {
  const byCall = new Map<string, unknown>();
  for (const card of own_cards)
    if (card.tool_call_id && card.content?.kind === "tool_result") byCall.set(card.tool_call_id, card.content.result);
  const calls = own_cards.filter((card) => card.content?.kind === "tool_call" && card.type !== "meta.approved_call");
  return calls.map((card) => byCall.get(card.tool_call_id ?? ""));
}

function fillingOf(name: string, fillings: Fillings): unknown {
  if (name in fillings && name !== "results") return fillings[name as Exclude<keyof Fillings, "results">];
  const [, n, ...path] = name.split(".");
  let value = fillings.results[Number(n) - 1];
  for (const key of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
