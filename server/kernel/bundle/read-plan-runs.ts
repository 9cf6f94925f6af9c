// Runs of plans within a run, with their nodes and edits: a drawing may have megabytes, so few are read at once. A fork names the run
// that it was made from, which may be another one: the id stays, and the notes say so.
import type { PlanEditLine, PlanNodeLine, PlanRunLine } from "@/server/contract/bundle/plan-lines";
import { columnsOf } from "../columns";
import type { GivenInput } from "../plan/plan-row";
import { shownInputs } from "../plan/shown-inputs";
import { type Reader, read } from "../reader";
import { PLAN_EDIT_COLUMNS, PLAN_NODE_COLUMNS, PLAN_RUN_COLUMNS, usSql } from "./columns";
import { addAll, type Gathered, noteTimes } from "./gathered";
import type { Piece, RunFacts, RunKey } from "./piece";

const PAGE = 5;
const EDITS_PAGE = 20;

const RUNS = `
  SELECT ${columnsOf(PLAN_RUN_COLUMNS, "r")}, ${usSql("r.deadline_at")} AS deadline_at, ${usSql("r.created_at")} AS created_at,
    ${usSql("r.ended_at")} AS ended_at
  FROM state.plan_runs r WHERE r.project_id = $1 AND r.root_turn_id = $2 AND r.plan_run_id COLLATE "C" > $3
  ORDER BY r.plan_run_id COLLATE "C" LIMIT ${PAGE}`;
const NODES = `
  SELECT ${columnsOf(PLAN_NODE_COLUMNS, "n")}, ${usSql("n.started_at")} AS started_at, ${usSql("n.ended_at")} AS ended_at
  FROM state.plan_run_nodes n WHERE n.project_id = $1 AND n.plan_run_id = ANY ($2)
  ORDER BY n.plan_run_id COLLATE "C", n.node_id COLLATE "C"`;
const EDITS = `
  SELECT ${columnsOf(PLAN_EDIT_COLUMNS, "e")}, ${usSql("e.created_at")} AS created_at
  FROM state.plan_run_edits e WHERE e.project_id = $1 AND e.plan_run_id = ANY ($2)
    AND (e.plan_run_id COLLATE "C", e.n) > ($3, $4)
  ORDER BY e.plan_run_id COLLATE "C", e.n LIMIT ${EDITS_PAGE}`;

type Row = Omit<PlanRunLine, "inputs"> & { inputs: Record<string, GivenInput> };
type Given = { box_id?: string; card_id?: string };

export async function* readPlanRuns(
  reader: Reader,
  { project_id, root_turn_id }: RunKey,
  gathered: Gathered,
  facts: RunFacts,
): AsyncGenerator<Piece> {
  const told = new Set<string>();
  const sources = new Set<string>();
  for (let after = ""; ; ) {
    const rows = await read<Row>(reader, "bundle_plan_runs", RUNS, [project_id, root_turn_id, after]);
    const inputsOf = await readInputs(reader, project_id, rows);
    for (const row of rows) {
      after = row.plan_run_id;
      told.add(row.plan_run_id);
      addAll(sources, [row.forked_from]);
      const inputs = inputsOf.get(row.plan_run_id) ?? {};
      for (const { box_id, card_id } of Object.values<Given>(inputs)) {
        addAll(gathered.boxes, [box_id]);
        addAll(gathered.cards, [card_id]);
      }
      noteTimes(gathered, row.created_at, row.ended_at);
      yield { part: "plan_runs.jsonl", line: { ...row, inputs } };
    }
    yield* readParts(
      reader,
      project_id,
      rows.map((row) => row.plan_run_id),
      gathered,
    );
    if (rows.length < PAGE) break;
  }
  const elsewhere = [...sources].filter((id) => !told.has(id)).length;
  if (elsewhere > 0 && !facts.notes.some((note) => note.code === "plan_runs_elsewhere"))
    facts.notes.push({
      code: "plan_runs_elsewhere",
      count: elsewhere,
      text: "plan runs of other runs, whose results forks in this run took: only their ids are here",
    });
}

/** As the page tells them: the text of a card that was deleted is gone from here too. One look for all. */
async function readInputs(
  reader: Reader,
  project_id: string,
  rows: readonly Row[],
): Promise<Map<string, Row["inputs"]>> {
  const all = rows.flatMap((row) =>
    Object.entries(row.inputs).map(([name, given]): [string, GivenInput] => [`${row.plan_run_id} ${name}`, given]),
  );
  const shown = await shownInputs(reader, { project_id, inputs: Object.fromEntries(all) });
  return new Map(
    rows.map(({ plan_run_id, inputs }) => [
      plan_run_id,
      Object.fromEntries(
        Object.entries(inputs).map(([name, given]) => [name, shown[`${plan_run_id} ${name}`] ?? given]),
      ),
    ]),
  );
}

async function* readParts(
  reader: Reader,
  project_id: string,
  ids: string[],
  gathered: Gathered,
): AsyncGenerator<Piece> {
  if (ids.length === 0) return;
  for (const line of await read<PlanNodeLine>(reader, "bundle_plan_nodes", NODES, [project_id, ids])) {
    noteTimes(gathered, line.started_at, line.ended_at);
    yield { part: "plan_nodes.jsonl", line };
  }
  for (let after: [string, number] = ["", 0]; ; ) {
    const edits = await read<PlanEditLine>(reader, "bundle_plan_edits", EDITS, [project_id, ids, ...after]);
    for (const line of edits) {
      after = [line.plan_run_id, line.n];
      noteTimes(gathered, line.created_at);
      yield { part: "plan_edits.jsonl", line };
    }
    if (edits.length < EDITS_PAGE) return;
  }
}
