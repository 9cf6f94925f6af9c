// The branches that a join's result sums up, each with the stretch of the result's text that is its own. Pure.
import { JOIN_CARD } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";
import type { BlameCard } from "./blame-card";

export type JoinedBranch = { output_box_id: string; start: number; end: number };

/** Empty for every other card. A tool of the outside may answer with a field of the same name: its boxes lead nowhere. */
export function joinedBranches(
  { card_id, content }: Pick<BlameCard, "card_id" | "content">,
  text: string,
): JoinedBranch[] {
  const data =
    content?.kind === "tool_result"
      ? content.result
      : content?.kind === "json" && card_id.startsWith(JOIN_CARD)
        ? content.data
        : undefined;
  if (!isRecord(data)) return [];
  if (typeof data.output_box_id === "string")
    return [{ output_box_id: data.output_box_id, start: 0, end: text.length }];
  if (!Array.isArray(data.results)) return [];
  let from = 0;
  return data.results.flatMap((entry: unknown) => {
    // As it stands in the text: two levels deep, one after the other.
    const written = JSON.stringify(entry, null, 2).replaceAll("\n", "\n    ");
    const at = text.indexOf(written, from);
    const [start, end] = at < 0 ? [from, text.length] : [at, at + written.length];
    if (at >= 0) from = end;
    return isRecord(entry) && typeof entry.output_box_id === "string"
      ? [{ output_box_id: entry.output_box_id, start, end }]
      : [];
  });
}
