// Who called whom within a run. An edge to or from another run stays out, and the notes say so: its other end is in no bundle.
import type { EdgeLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { EDGE_COLUMNS, usSql } from "./columns";
import { addAll, type Gathered, pagesOf } from "./gathered";
import type { Piece, RunFacts, RunKey } from "./piece";

const TURNS_PAGE = 100;

// Two looks: an OR of both ends would read the whole table.
const EDGES = `
  SELECT ${columnsOf(EDGE_COLUMNS, "e")}, ${usSql("e.created_at")} AS created_at FROM (
    SELECT ${columnsOf(EDGE_COLUMNS, "s")}, s.created_at FROM state.execution_edges s WHERE s.project_id = $1 AND s.source_turn_id = ANY ($2)
    UNION SELECT ${columnsOf(EDGE_COLUMNS, "t")}, t.created_at FROM state.execution_edges t WHERE t.project_id = $1 AND t.target_turn_id = ANY ($2)
  ) e ORDER BY e.edge_id COLLATE "C"`;

export async function* readEdges(
  reader: Reader,
  { project_id, root_turn_id }: RunKey,
  gathered: Gathered,
  facts: RunFacts,
): AsyncGenerator<Piece> {
  const own = new Set(gathered.turns);
  let elsewhere = 0;
  for (const turns of pagesOf(gathered.turns, TURNS_PAGE)) {
    const here = new Set(turns);
    for (const line of await read<EdgeLine>(reader, "bundle_edges", EDGES, [project_id, turns])) {
      const ends = [line.source_turn_id, line.target_turn_id].filter((id) => id !== null);
      // Told with the page of its first end, so that it is told once.
      if (!here.has(ends[0] ?? "") && own.has(ends[0] ?? "")) continue;
      if (ends.some((id) => !own.has(id)) || (line.root_turn_id ?? root_turn_id) !== root_turn_id) {
        elsewhere++;
        continue;
      }
      addAll(gathered.agents, [line.source_agent_id, line.target_agent_id]);
      yield { part: "edges.jsonl", line };
    }
  }
  if (elsewhere > 0)
    facts.notes.push({
      code: "edges_elsewhere",
      count: elsewhere,
      text: "calls to or from turns of other runs were left out",
    });
}
