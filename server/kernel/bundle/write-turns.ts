// Turns, steps and edges of a run that was brought along. All of its edges are written as they were told: its turns tell none. No head moves: an agent that is new here is idle with the epoch of its last
// turn, and one that was here keeps what it has.
import type { EdgeLine, MarkLine, RequestLine, StepLine, TurnLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { holdAgents } from "../roster/hold-agents";
import { recordHeads } from "../turns/record-turns";
import { TURN_COLUMNS as ALL_COLUMNS, type TurnRow, taskFrame, turnFrame } from "../turns/turn-row";
import { EDGE_COLUMNS, STEP_COLUMNS, STEP_TIMES, TURN_COLUMNS, TURN_TIMES } from "./columns";
import { endStep, endTurnLine } from "./ended";
import { partsOf } from "./parts-of";
import { refuseTaken, type Writing, withoutNulls } from "./writing";

const TURNS = `
  INSERT INTO state.agent_turns (project_id, root_turn_id, ${TURN_COLUMNS.join(", ")}, ${TURN_TIMES.join(", ")}, mark, tells_request, tells_response)
  SELECT $1, $2, ${columnsOf(TURN_COLUMNS, "g")}, ${columnsOf(TURN_TIMES, "g")}, g.mark, false, false
  FROM jsonb_populate_recordset(NULL::state.agent_turns, $3::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING ${columnsOf(ALL_COLUMNS, "agent_turns")}`;
const STEPS = `
  INSERT INTO state.agent_steps (project_id, ${STEP_COLUMNS.join(", ")}, ${STEP_TIMES.join(", ")})
  SELECT $1, ${columnsOf(STEP_COLUMNS, "g")}, ${columnsOf(STEP_TIMES, "g")}
  FROM jsonb_populate_recordset(NULL::state.agent_steps, $2::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING step_id`;
const REQUESTS = `
  UPDATE state.agent_steps s SET request_bytes = coalesce(convert_to(g.text, 'UTF8'), decode(g.base64, 'base64'))
  FROM jsonb_to_recordset($2::jsonb) AS g(step_id text, text text, base64 text)
  WHERE s.project_id = $1 AND s.step_id = g.step_id`;
const EDGES = `
  INSERT INTO state.edge_extra (project_id, ${EDGE_COLUMNS.join(", ")}, created_at)
  SELECT $1, ${columnsOf(EDGE_COLUMNS, "g")}, g.created_at
  FROM jsonb_populate_recordset(NULL::state.edge_extra, $2::jsonb) AS g
  ON CONFLICT DO NOTHING RETURNING edge_id`;

export async function writeTurns(writing: Writing, freshAgents: ReadonlySet<string>): Promise<void> {
  const { unit, project_id, source, ended } = writing;
  const marks = new Map<string, unknown>();
  for await (const line of source.lines("marks.jsonl"))
    marks.set((line as MarkLine).agent_turn_id, (line as MarkLine).mark);
  const heads = new Map<string, TurnLine>();
  for await (const part of partsOf<TurnLine>(source.lines("turns.jsonl"))) {
    const turns = part.map((line) => ({ ...endTurnLine(line, ended), mark: marks.get(line.agent_turn_id) }));
    for (const turn of turns)
      if (freshAgents.has(turn.agent_id) && turn.turn_epoch >= (heads.get(turn.agent_id)?.turn_epoch ?? 0))
        heads.set(turn.agent_id, turn);
    await holdAgents(unit, { project_id, agent_ids: turns.map((turn) => turn.agent_id) });
    const values = [project_id, source.root_turn_id, JSON.stringify(turns.map(withoutNulls))];
    const made = await unit.query<TurnRow>("bundle_turns_add", TURNS, values);
    refuseTaken(
      "turn",
      turns.map((turn) => turn.agent_turn_id),
      made.map((row) => row.agent_turn_id),
    );
    for (const row of made) {
      unit.frame(project_id, turnFrame(row));
      unit.frame(project_id, taskFrame(row));
    }
  }
  await recordHeads(unit, {
    project_id,
    heads: Array.from(heads.values(), ({ agent_id, turn_epoch, output_box_id }) => ({
      agent_id,
      turn_epoch,
      last_output_box_id: output_box_id,
    })),
  });
  await writeSteps(writing);
  await writeEdges(writing);
}

async function writeSteps({ unit, project_id, source }: Writing): Promise<void> {
  for await (const part of partsOf<StepLine>(source.lines("steps.jsonl"))) {
    const steps = part.map((line) => withoutNulls(endStep(line, source.exported_at)));
    const made = await unit.query<{ step_id: string }>("bundle_steps_add", STEPS, [project_id, JSON.stringify(steps)]);
    refuseTaken(
      "step",
      part.map((step) => step.step_id),
      made.map((row) => row.step_id),
    );
  }
  for await (const part of partsOf<RequestLine>(source.lines("requests.jsonl")))
    await unit.query("bundle_requests_add", REQUESTS, [project_id, JSON.stringify(part)]);
}

async function writeEdges({ unit, project_id, source }: Writing): Promise<void> {
  for await (const part of partsOf<EdgeLine>(source.lines("edges.jsonl"))) {
    const values = [project_id, JSON.stringify(part.map(withoutNulls))];
    const made = await unit.query<{ edge_id: string }>("bundle_edges_add", EDGES, values);
    refuseTaken(
      "edge",
      part.map((edge) => edge.edge_id),
      made.map((row) => row.edge_id),
    );
    for (const edge of part) {
      if (edge.primitive !== "enqueue" || edge.edge_phase !== "request") continue;
      if (edge.source_turn_id === null || edge.target_turn_id === null) continue;
      const { primitive, target_strategy } = edge.metadata as { primitive?: never; target_strategy?: never };
      unit.frame(project_id, {
        kind: "edge",
        id: edge.edge_id,
        rev: 1,
        root_turn_id: source.root_turn_id,
        source_turn_id: edge.source_turn_id,
        target_turn_id: edge.target_turn_id,
        is_inferred: edge.is_inferred,
        primitive: primitive ?? "delegate_async",
        target_strategy,
        created_at: new Date(edge.created_at).toISOString(),
      });
    }
  }
}
