// The steps of a run, and the requests they sent, which are most of a bundle's bytes: as many at a time as fit into a few megabytes.
import type { StepLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import { STEP_COLUMNS, usSql } from "./columns";
import { type Gathered, noteTimes, pagesOf } from "./gathered";
import type { Piece, RunKey } from "./piece";

const TURNS_PAGE = 100;
const BYTES_PAGE = 4_194_304;

const STEPS = `
  SELECT ${columnsOf(STEP_COLUMNS, "s")}, ${usSql("s.started_at")} AS started_at, ${usSql("s.ended_at")} AS ended_at,
    CASE WHEN s.request_bytes IS NOT NULL THEN coalesce(s.request_size, octet_length(s.request_bytes)) END AS size
  FROM state.agent_steps s WHERE s.project_id = $1 AND s.agent_turn_id = ANY ($2)
  ORDER BY s.agent_turn_id COLLATE "C", s.ordinal, s.step_id COLLATE "C"`;
const REQUESTS = `
  SELECT s.step_id, state.request_of($1, s.step_id) AS bytes FROM state.agent_steps s
  WHERE s.project_id = $1 AND s.step_id = ANY ($2) AND s.request_bytes IS NOT NULL`;

export async function* readSteps(reader: Reader, { project_id }: RunKey, gathered: Gathered): AsyncGenerator<Piece> {
  for (const turns of pagesOf(gathered.turns, TURNS_PAGE)) {
    const rows = await read<StepLine & { size: number | null }>(reader, "bundle_steps", STEPS, [project_id, turns]);
    for (const { size, ...line } of rows) {
      if (size !== null) gathered.requests.push({ step_id: line.step_id, size });
      if (line.request_box_id !== null) gathered.boxes.add(line.request_box_id);
      noteTimes(gathered, line.started_at, line.ended_at);
      yield { part: "steps.jsonl", line };
    }
  }
  for (const ids of partsOf(gathered.requests)) {
    const rows = await read<{ step_id: string; bytes: Buffer | null }>(reader, "bundle_requests", REQUESTS, [
      project_id,
      ids,
    ]);
    const found = new Map(rows.map((row) => [row.step_id, row.bytes]));
    for (const step_id of ids) {
      const bytes = found.get(step_id);
      if (bytes) yield { part: "requests.jsonl", line: { step_id, ...written(bytes) } };
    }
  }
}

/** Text where it is the same bytes again. */
function written(bytes: Buffer): { text: string | null; base64: string | null } {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes)
    ? { text, base64: null }
    : { text: null, base64: bytes.toString("base64") };
}

function* partsOf(requests: Gathered["requests"]): Generator<string[]> {
  let ids: string[] = [];
  let bytes = 0;
  for (const { step_id, size } of requests) {
    if (ids.length > 0 && bytes + size > BYTES_PAGE) {
      yield ids;
      [ids, bytes] = [[], 0];
    }
    ids.push(step_id);
    bytes += size;
  }
  if (ids.length > 0) yield ids;
}
