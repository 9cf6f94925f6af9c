// The context flow of a run: between which turns cards went, and how much they weigh (docs/debugging.md). Three statements.
import type { RunFlow } from "@/server/contract/answers/run-flow";
import { FLOW_EDGES_MAX } from "@/server/contract/run-flow";
import type { Reader } from "../reader";
import { readIncoming } from "./flow/read-incoming";
import { sumFlow } from "./flow/sum-flow";

/** not_found for an unknown run and for one of another project alike. */
export async function readRunFlow(
  reader: Reader,
  input: { project_id: string; root_turn_id: string },
): Promise<RunFlow> {
  const { boxes, of } = await readIncoming(reader, input);
  const turns = boxes.list.toReversed().map((turn) => ({ agent_turn_id: turn.agent_turn_id, came: of(turn) }));
  const { edges, sources, tokens } = sumFlow(turns);
  const listed = edges.slice(0, FLOW_EDGES_MAX);
  const named = new Set(listed.map(({ from }) => from));
  return {
    root_turn_id: input.root_turn_id,
    edges: listed,
    edges_total: edges.length,
    tokens,
    sources: sources.filter(({ source_id }) => named.has(source_id)),
    looked_at: boxes.places,
    is_partial: boxes.is_partial,
  };
}
