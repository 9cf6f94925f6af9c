// The environment data of one run as its page needs it, with the runs to choose from: one statement, so that the cursor is
// true for all of it. Values are asked for one by one.
import type { EnvRun, EnvSheet } from "@/server/contract/env-data";
import { KernelError } from "@/server/contract/errors";
import { ENV_LINE, type EnvLineRow, envLine } from "../envdata/env-row";
import { cursorHere, HERE, type Here } from "../journal/cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

const RUNS_MAX = 200;

// Runs are chosen by their numbers first: with the chosen one at the head of the order, all runs of the project were sorted.
// Without a choice: the newest run that has any, else the newest.
const SHEET = `
  WITH chosen AS (
    SELECT coalesce($2::text, (SELECT r.root_turn_id FROM state.runs r WHERE r.project_id = $1
        AND EXISTS (SELECT 1 FROM state.env_data e WHERE e.project_id = $1 AND e.root_turn_id = r.root_turn_id) ORDER BY r.number DESC LIMIT 1),
      (SELECT r.root_turn_id FROM state.runs r WHERE r.project_id = $1 ORDER BY r.number DESC LIMIT 1)) AS root
  )
  SELECT ${HERE}, (SELECT root FROM chosen) AS root,
    EXISTS (SELECT 1 FROM projects WHERE project_id = $1) AS is_there,
    (SELECT coalesce(json_agg(row_to_json(s)), '[]') FROM (
      SELECT r.root_turn_id, r.number, r.title, r.source, r.created_at, (SELECT count(*)::int FROM state.env_data e
        WHERE e.project_id = $1 AND e.root_turn_id = r.root_turn_id) AS env_count
      FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = ANY (ARRAY(SELECT root FROM chosen UNION ALL SELECT n.root_turn_id FROM (
        SELECT root_turn_id FROM state.runs WHERE project_id = $1 ORDER BY number DESC LIMIT ${RUNS_MAX}) n))
      ORDER BY (r.root_turn_id = (SELECT root FROM chosen)) DESC, r.number DESC LIMIT ${RUNS_MAX}) s) AS runs,
    (SELECT coalesce(json_agg(json_build_object('line', line, 'turn', turn) ORDER BY key COLLATE "C"), '[]') FROM (
      SELECT e.key, (SELECT row_to_json(l) FROM (SELECT ${ENV_LINE}) l) AS line,
        (SELECT row_to_json(w) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
          WHERE t.project_id = $1 AND t.agent_turn_id = e.stored_by_turn_id) w) AS turn
      FROM state.env_data e WHERE e.project_id = $1 AND e.root_turn_id = (SELECT root FROM chosen)) i) AS items`;

type Row = Here & {
  root: string | null;
  is_there: boolean;
  runs: EnvRun[];
  items: { line: EnvLineRow; turn: TurnRefRow | null }[];
};

/** not_found for an unknown project or run. */
export async function readEnvSheet(
  kernel: Kernel,
  input: { project_id: string; root_turn_id?: string },
): Promise<EnvSheet> {
  const { project_id, root_turn_id } = input;
  const rows = await read<Row>(kernel, "env_sheet", SHEET, [project_id, root_turn_id ?? null]);
  const [row] = rows;
  if (!row?.is_there) throw new KernelError("not_found", `project ${project_id} not found`);
  const runs = row.runs
    .map((run) => ({ ...run, created_at: new Date(run.created_at).toISOString() }))
    .toSorted((a, b) => b.number - a.number);
  const run = runs.find((one) => one.root_turn_id === row.root);
  if (root_turn_id !== undefined && run === undefined) throw await noRun(kernel, { project_id, root_turn_id });
  return {
    ...(run && { run }),
    runs,
    items: row.items.map(({ line, turn }) => ({ ...envLine(line), ...(turn && { turn: turnRef(turn) }) })),
    live_cursor: cursorHere(project_id, row),
  };
}
