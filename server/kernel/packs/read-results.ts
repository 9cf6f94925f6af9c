// What tools answered in some turns: the part of the journal that a pack can call evidence.
import { contentText } from "@/server/contract/card";
import { internalTools } from "@/server/contract/tool";
import { CARD_COLUMNS, type CardRow, toCard } from "../cardbox/card-row";
import { type Reader, read } from "../reader";

/** `at` is in microseconds. */
export type ToolResult = {
  card_id: string;
  tool_name: string;
  is_failure: boolean;
  error?: string;
  text: string;
  at: number;
};

const RESULTS_MAX = 200;
/** By their calls: a result that came while the turn slept is written by somebody else. */
const READ = `
  WITH calls AS MATERIALIZED (
    SELECT c.tool_call_id, c.content ->> 'tool_name' AS tool_name FROM cards c
    WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = ANY ($2::text[]) AND c.metadata ->> 'type' = 'tool.call'
  )
  SELECT k.tool_name, (extract(epoch FROM c.created_at) * 1000000)::bigint::float8 AS at, ${CARD_COLUMNS}
  FROM calls k JOIN cards c ON c.tenant_id = $1 AND c.tool_call_id = k.tool_call_id AND (c.metadata ->> 'type') = 'tool.result'
  ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${RESULTS_MAX}`;

/** A call of these that was refused says nothing of the work. */
const ours: ReadonlySet<string> = new Set(internalTools);

type Row = CardRow & { tool_name: string | null; at: number };

/** Of the newest 200, the oldest first. Those of Switchyard's own tools, and those whose content is gone, are left out. */
export async function readResults(
  reader: Reader,
  { project_id, turn_ids }: { project_id: string; turn_ids: readonly string[] },
): Promise<ToolResult[]> {
  if (turn_ids.length === 0) return [];
  const rows = await read<Row>(reader, "pack_results", READ, [project_id, turn_ids]);
  return rows.reverse().flatMap(({ tool_name, at, ...row }) => {
    const { card_id, content } = toCard(row);
    if (content?.kind !== "tool_result" || tool_name === null || ours.has(tool_name)) return [];
    const is_failure = content.status === "failed" || content.status === "timeout";
    return { card_id, tool_name, is_failure, error: content.error?.message, text: contentText(content), at };
  });
}
