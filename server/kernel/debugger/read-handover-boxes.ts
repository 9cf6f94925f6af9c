// The ids of every box that hand-overs touch, and the origins of those that were packed: two statements, however many of both.
import { readBoxIds } from "../cardbox/read-box";
import { sourcesOf } from "../context/expand-receipt";
import { type Reader, read } from "../reader";
import type { HandoverEdge } from "./read-handover-edge";

const ORIGINS = `
  SELECT box_id, origins FROM card_box_chunks WHERE tenant_id = $1 AND box_id = ANY ($2::text[]) ORDER BY box_id, n`;

export type HandoverBoxes = {
  ids: (box_id: string | null) => string[];
  all: ReadonlyMap<string, string[]>;
  packed: { card_id: string; origin: string }[];
};

type Asked = { project_id: string; edges: readonly HandoverEdge[]; others?: readonly string[] };

/** The boxes of each edge; `all` is shared, with `others`. */
export async function readHandoverBoxes(
  reader: Reader,
  { project_id, edges, others = [] }: Asked,
): Promise<(edge: HandoverEdge) => HandoverBoxes> {
  const wanted = [...others, ...edges.flatMap(boxesOf).filter((id) => id !== null)];
  const contexts = edges.map(({ context_box_id }) => context_box_id);
  const [all, chunks] = await Promise.all([
    readBoxIds(reader, { project_id, box_ids: [...new Set(wanted)] }),
    read<{ box_id: string; origins: [number, string][] }>(reader, "handover_origins", ORIGINS, [project_id, contexts]),
  ]);
  const origins = new Map<string, string[]>();
  for (const chunk of chunks) {
    const known = origins.get(chunk.box_id) ?? [];
    for (const [n, origin] of chunk.origins) for (let i = 0; i < n; i++) known.push(origin);
    origins.set(chunk.box_id, known);
  }
  const ids = (box_id: string | null): string[] => (box_id === null ? [] : (all.get(box_id) ?? []));
  const packedOf = (box_id: string) =>
    ids(box_id).map((card_id, i) => ({ card_id, origin: origins.get(box_id)?.[i] ?? "given" }));
  return (edge) => ({ ids, all, packed: packedOf(edge.context_box_id) });
}

const boxesOf = (edge: HandoverEdge): (string | null)[] => [
  edge.context_box_id,
  edge.output_box_id,
  edge.request_box_id,
  edge.caller_request_box_id,
  edge.forked_request_box_id,
  edge.caller_context_box_id,
  edge.caller_output_box_id,
  ...(edge.receipt ? sourcesOf(edge.receipt) : []),
];
