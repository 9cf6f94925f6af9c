// What differs inside a pair of cards: structures by path, everything else by words. Bounded, and it says what it did not compare.
import { type CardContent, contentText } from "../card";
import type { PairChange } from "./pair-change";
import { pathDiff } from "./path-diff";
import { wordDiff } from "./word-diff";

/** Letters of one card that are compared. */
export const COMPARED_MAX = 50_000;

export function diffContents(before: CardContent | null, after: CardContent | null): PairChange {
  if (before === null || after === null) return { how: "none", reason: "The content of one of them was deleted." };
  const [a, b] = [comparedOf(before), comparedOf(after)];
  const [old, young] = [contentText(before), contentText(after)];
  if (old.length > COMPARED_MAX || young.length > COMPARED_MAX)
    return { how: "none", reason: `One of them has more than ${COMPARED_MAX.toLocaleString("en")} letters.` };
  const isStructure = typeof a === "object" && a !== null && typeof b === "object" && b !== null;
  return isStructure && before.kind === after.kind ? pathDiff(a, b) : wordDiff(old, young);
}

/** What is compared by path: of a text nothing. */
function comparedOf(content: CardContent): unknown {
  if (content.kind === "text") return content.text;
  if (content.kind === "json") return content.data;
  if (content.kind === "fields_schema") return content.fields;
  if (content.kind === "tool_call") return { tool_name: content.tool_name, arguments: content.arguments };
  return content.error ?? content.result ?? null;
}
