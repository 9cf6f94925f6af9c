// The verdicts of one hand-over from what was read of it: the same for its page and for the sweep of alarms. Pure.
import type { ExpandedReceipt } from "../context/expand-receipt";
import { type CallerHad, callerHad, idsToWeigh } from "./caller-had";
import { type JudgedRow, judgeHandover } from "./judge-handover";
import type { ReadFact } from "./read-card-facts";
import type { HandoverBoxes } from "./read-handover-boxes";
import type { HandoverEdge } from "./read-handover-edge";

export type AskedEdge = { edge: HandoverEdge; boxes: HandoverBoxes; lines: ExpandedReceipt["lines"] };
/** `saw`: null = no request is stored, and its context stands in. */
export type JudgedEdge = { had: CallerHad; saw: string[] | null; judged: JudgedRow[] };

/** Cards whose facts the verdicts depend on. */
export const idsToJudge = (asked: AskedEdge): string[] => [
  ...idsToWeigh(asked),
  ...asked.boxes.packed.map(({ card_id }) => card_id),
  ...asked.boxes.ids(asked.edge.request_box_id),
  ...asked.lines.map(({ card_id }) => card_id),
];

export function judgeEdge(asked: AskedEdge, facts: ReadonlyMap<string, ReadFact>): JudgedEdge {
  const { edge, boxes, lines } = asked;
  const had = callerHad(asked, facts);
  const saw = edge.request_box_id === null ? null : [...new Set(boxes.ids(edge.request_box_id))];
  const memory = new Set(boxes.ids(edge.output_box_id).slice(0, edge.output_start));
  const sides = { had: had.ids, packed: boxes.packed, saw, memory, receipt: lines, trimmed: trimmedBy(facts), facts };
  return { had, saw, judged: judgeHandover(sides) };
}

function trimmedBy(facts: ReadonlyMap<string, ReadFact>): Map<string, string> {
  const found = new Map<string, string>();
  for (const { trimmed, profile } of facts.values())
    for (const { key, action } of trimmed ?? [])
      if (action === "removed" && key.startsWith("card://"))
        found.set(key.slice("card://".length), `over the budget ${profile ?? "routine"} of the context pack`);
  return found;
}
