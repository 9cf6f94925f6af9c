// What a card weighs: the figure "held" is the sum of it over the cards of a box (docs/tokens.md).
import { type CardContent, picturesIn, picturesWeight, sentText } from "@/server/contract/card";
import { countTokens } from "./count-tokens";
import { callTokens, messageTokens } from "./sent-tokens";

export type Weighed = {
  content: CardContent;
  tool_calls?: readonly unknown[];
  /** Its calls follow it as cards of their own: they used to weigh twice. */
  has_calls_apart?: boolean;
};

export function cardTokens({ content, tool_calls = [], has_calls_apart = false }: Weighed): number {
  if (content.kind === "tool_call") return callTokens(content.tool_name, JSON.stringify(content.arguments));
  const text = sentText(content);
  const shown = picturesWeight(picturesIn(content));
  return shown + (has_calls_apart ? countTokens(text) : messageTokens(text, tool_calls));
}
