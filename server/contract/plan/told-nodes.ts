// What whoever launched a plan is told of its nodes: a line each. 300 nodes with 2,000 characters each were a tool result that no
// context window takes.
import type { PlanNodeStatus } from "./plan-run";

export type ToldNode = {
  id: string;
  status: PlanNodeStatus;
  agent_turn_id?: string;
  batch_id?: string;
  summary?: string;
  reason?: string;
};
export type ToldNodes = {
  nodes: ToldNode[];
  /** How much was cut, where something was. */
  note?: string;
};

/** Characters of all summaries and reasons together. */
export const TOLD_MAX = 32_000;
const told = TOLD_MAX.toLocaleString("en-US");

/** Summaries and reasons are cut to one length that all of them keep within the limit. Short ones stay whole. */
export function toldNodes(nodes: readonly ToldNode[]): ToldNodes {
  const lengths = nodes.flatMap(({ summary, reason }) =>
    [summary, reason].flatMap((text) => (text ? [...text].length : [])),
  );
  const cut = longestWithin(lengths);
  if (cut === null) return { nodes: [...nodes] };
  const note = `Summaries and reasons of nodes are cut to ${cut} characters: together they have more than ${told}. Each is whole at its turn or batch.`;
  return {
    nodes: nodes.map(({ summary, reason, ...node }) => ({
      ...node,
      ...(summary !== undefined && { summary: shortened(summary, cut) }),
      ...(reason !== undefined && { reason: shortened(reason, cut) }),
    })),
    note,
  };
}

/** Null = all of them fit as they are. */
function longestWithin(lengths: readonly number[]): number | null {
  let left = TOLD_MAX;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [i, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - i));
    if (length > share) return share;
    left -= length;
  }
  return null;
}

function shortened(text: string, max: number): string {
  const points = [...text];
  return points.length > max ? `${points.slice(0, max - 1).join("")}…` : text;
}
