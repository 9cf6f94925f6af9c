// The calls that stored a value of environment data before some moment, newest first.
import { SHOWN_CONTENT } from "../../cardbox/card-row";
import { type Reader, read } from "../../reader";
import { BLAME_FACT, type BlameCard } from "./blame-card";

/** An update may change only the description: then the value is that of an older call. */
const CALLS_MAX = 20;

const CALLS = `
  SELECT ${BLAME_FACT}, ${SHOWN_CONTENT} AS content FROM (
    SELECT e.tool_call_id, e.agent_turn_id, e.created_at FROM state.env_calls e
    WHERE e.project_id = $1 AND e.root_turn_id = $2 AND e.key = $3 AND e.change <> 'deleted' AND e.created_at <= $4::timestamptz + interval '2 seconds'
    ORDER BY e.created_at DESC, e.tool_call_id LIMIT ${CALLS_MAX}
  ) e JOIN cards c ON c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = e.agent_turn_id AND c.tool_call_id = e.tool_call_id
    AND c.metadata ->> 'type' = 'tool.call'
  ORDER BY e.created_at DESC, e.tool_call_id`;

export const readEnvCalls = (
  reader: Reader,
  input: { project_id: string; root_turn_id: string; key: string; created_at: string },
): Promise<BlameCard[]> =>
  read<BlameCard>(reader, "blame_env_calls", CALLS, [
    input.project_id,
    input.root_turn_id,
    input.key,
    input.created_at,
  ]);
