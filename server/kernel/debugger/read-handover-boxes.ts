// The ids of every box that a hand-over touches, and the origins of the one that was packed: two statements, however many boxes.
import { readBoxIds } from "../cardbox/read-box";
import { sourcesOf } from "../context/expand-receipt";
import { type Reader, read } from "../reader";
import type { HandoverEdge } from "./read-handover-edge";

const ORIGINS = "SELECT origins FROM card_box_chunks WHERE tenant_id = $1 AND box_id = $2 ORDER BY n";

export type HandoverBoxes = {
  ids: (box_id: string | null) => string[];
  all: ReadonlyMap<string, string[]>;
  packed: { card_id: string; origin: string }[];
};

export async function readHandoverBoxes(
  reader: Reader,
  { project_id, edge }: { project_id: string; edge: HandoverEdge },
): Promise<HandoverBoxes> {
  const wanted = [
    edge.context_box_id,
    edge.output_box_id,
    edge.request_box_id,
    edge.caller_request_box_id,
    edge.forked_request_box_id,
    edge.caller_context_box_id,
    edge.caller_output_box_id,
    ...(edge.receipt ? sourcesOf(edge.receipt) : []),
    ...edge.branches.map(({ context_box_id }) => context_box_id),
  ].filter((id) => id !== null);
  const [all, chunks] = await Promise.all([
    readBoxIds(reader, { project_id, box_ids: [...new Set(wanted)] }),
    read<{ origins: [number, string][] }>(reader, "handover_origins", ORIGINS, [project_id, edge.context_box_id]),
  ]);
  const origins = chunks.flatMap((chunk) =>
    chunk.origins.flatMap(([n, origin]) => Array.from({ length: n }, () => origin)),
  );
  const ids = (box_id: string | null): string[] => (box_id === null ? [] : (all.get(box_id) ?? []));
  return {
    ids,
    all,
    packed: ids(edge.context_box_id).map((card_id, i) => ({ card_id, origin: origins[i] ?? "given" })),
  };
}
