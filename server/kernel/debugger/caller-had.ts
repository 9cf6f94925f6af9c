// Column 1: what the caller had when it made the call. Pure.
import type { CallerSide } from "@/server/contract/handover-diff";
import type { ExpandedReceipt } from "../context/expand-receipt";
import type { ReadFact } from "./read-card-facts";
import type { HandoverBoxes } from "./read-handover-boxes";
import type { HandoverEdge } from "./read-handover-edge";

export type CallerHad = { side: CallerSide; ids: string[] };
type Asked = { edge: HandoverEdge; boxes: HandoverBoxes; lines: ExpandedReceipt["lines"] };

/** Whose facts decide what the caller had written by then. */
export const idsToWeigh = ({ edge, boxes }: Asked): string[] => [
  ...boxes.ids(edge.caller_request_box_id),
  ...boxes.ids(edge.forked_request_box_id),
  ...boxes.ids(edge.output_box_id).slice(edge.output_start, edge.output_start + 1),
  ...(edge.caller?.is_human ? [] : [...boxes.ids(edge.caller_context_box_id), ...boxes.ids(edge.caller_output_box_id)]),
];

export function callerHad(asked: Asked, facts: ReadonlyMap<string, ReadFact>): CallerHad {
  const { edge, boxes, lines } = asked;
  const once = (ids: readonly string[]) => [...new Set(ids)];
  if (edge.forked_request_box_id !== null) return { side: "fork", ids: once(boxes.ids(edge.forked_request_box_id)) };
  if (!edge.caller) return { side: "none", ids: [] };
  if (edge.caller.is_human) return { side: "offered", ids: once(offered(lines, facts)) };
  const output = boxes.ids(edge.caller_output_box_id);
  if (edge.caller_request_box_id !== null) {
    const sent = boxes.ids(edge.caller_request_box_id);
    return { side: "request", ids: once([...sent, ...writtenInStep(output, { sent, edge, facts })]) };
  }
  const context = boxes.ids(edge.caller_context_box_id);
  return { side: "boxes", ids: once([...context, ...writtenBefore(output, { edge, boxes, facts })]) };
}

/** The originals of what a person chose: what was redacted or edited on the way is named by its copy in the receipt. */
const offered = (lines: Asked["lines"], facts: ReadonlyMap<string, ReadFact>): string[] =>
  lines
    .filter(({ origin }) => origin === "card" || origin.startsWith("box:"))
    .map(({ card_id, verdict, reason }) => {
      const isCopy = verdict === "redacted" || (verdict === "included" && reason !== undefined);
      return (isCopy ? facts.get(card_id)?.stands_for : null) ?? card_id;
    });

type Writing = { edge: HandoverEdge; facts: ReadonlyMap<string, ReadFact> };

/** What the model itself wrote in the step, up to the call: it knows that without having been sent it. Not its results. */
function writtenInStep(
  output: readonly string[],
  { sent, edge, facts }: Writing & { sent: readonly string[] },
): string[] {
  const known = new Set(sent);
  const own = output
    .slice(output.findLastIndex((id) => known.has(id)) + 1)
    .filter((id) => facts.get(id)?.step_id === edge.parent_step_id && facts.get(id)?.type !== "tool.result");
  return upToCall(own, { edge, facts }) ?? own;
}

/** Without the call among them (a foreign worker): what was written before the turn was made. */
function writtenBefore(
  output: readonly string[],
  { edge, boxes, facts }: Writing & { boxes: HandoverBoxes },
): string[] {
  const place = placeInLog({ edge, boxes, facts });
  if (place !== null) return output.filter((id) => (facts.get(id)?.history_index ?? place) < place);
  const made = Date.parse(edge.callee.created_at);
  return upToCall(output, { edge, facts }) ?? output.filter((id) => (facts.get(id)?.created_ms ?? 0) <= made);
}

/** Of an import, the message that called the turn; of one that nobody called, its own first message. */
function placeInLog({ edge, boxes, facts }: Writing & { boxes: HandoverBoxes }): number | null {
  const own = boxes.ids(edge.output_box_id)[edge.output_start];
  for (const id of [...boxes.packed.map(({ card_id }) => card_id), ...(own === undefined ? [] : [own])]) {
    const index = facts.get(id)?.history_index;
    if (index != null) return index;
  }
  return null;
}

function upToCall(ids: readonly string[], { edge, facts }: Writing): string[] | undefined {
  if (edge.parent_tool_call_id === null) return undefined;
  const at = ids.findLastIndex((id) => {
    const fact = facts.get(id);
    return fact?.tool_call_id === edge.parent_tool_call_id && fact.type !== "tool.result";
  });
  return at < 0 ? undefined : ids.slice(0, at + 1);
}
