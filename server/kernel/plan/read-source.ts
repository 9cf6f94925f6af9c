// A plan run as a fork of it needs it: its body, its inputs, how its nodes ended, and of each turn the receipt and the version of
// the profile that it ran with.
import type { Receipt } from "@/server/contract/pack";
import type { Layout, Plan } from "@/server/contract/plan/plan";
import { type Reader, read } from "../reader";
import { type NodeStanding, readBody, readResults } from "./lock-plan";
import { noPlanRun } from "./no-plan-run";
import type { PlanRunKey, PlanRunRow } from "./plan-row";
import { shownInputs } from "./shown-inputs";

export type RecordedTurn = { batch_task_id: string; profile_box_id: string; receipt: Receipt | null };

export type Source = {
  run: Pick<PlanRunRow, "plan_run_id" | "plan_id" | "version" | "body_rev" | "inputs" | "root_turn_id"> & {
    number: number;
  };
  plan: Plan & { layout: Layout };
  nodes: Map<string, NodeStanding>;
  /** By batch_task_id. */
  turns: Map<string, RecordedTurn>;
};

const RUN = `
  SELECT r.plan_run_id, r.plan_id, r.version, r.body_rev, r.inputs, r.root_turn_id, r.body, r.layout, s.number FROM state.plan_runs r
  JOIN state.runs s ON s.project_id = r.project_id AND s.root_turn_id = r.root_turn_id
  WHERE r.project_id = $1 AND r.plan_run_id = $2`;

// A branch that is itself replayed has the turn of the one that it replays.
const TURNS = `
  SELECT k.batch_task_id, t.profile_box_id, b.receipt
  FROM unnest($2::text[]) AS g(batch_id)
  JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = g.batch_id
  JOIN LATERAL (SELECT t.profile_box_id, t.context_box_id FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_turn_id = coalesce(k.agent_turn_id, k.metadata #>> '{replays,agent_turn_id}') OFFSET 0) t ON true
  LEFT JOIN LATERAL (SELECT b.receipt FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = t.context_box_id OFFSET 0) b ON true`;

/** not_found for one of another project too. */
export async function readSource(reader: Reader, key: PlanRunKey): Promise<Source> {
  const [row] = await read<Source["run"] & { body: object; layout: Layout }>(reader, "plan_source", RUN, [
    key.project_id,
    key.plan_run_id,
  ]);
  const results = row && (await readResults(reader, key));
  if (!row || !results) throw noPlanRun(key);
  const { body, layout, ...run } = row;
  const batches = [...results.nodes.values()].flatMap(
    ({ status, replays, batch_id }) => (status === "replayed" ? replays?.batch_id : batch_id) ?? [],
  );
  const turns = await read<RecordedTurn>(reader, "plan_source_turns", TURNS, [key.project_id, [...new Set(batches)]]);
  return {
    run: { ...run, inputs: await shownInputs(reader, { project_id: key.project_id, inputs: run.inputs }) },
    plan: readBody({ ...body, layout }),
    nodes: results.nodes,
    turns: new Map(turns.map((turn) => [turn.batch_task_id, turn])),
  };
}
