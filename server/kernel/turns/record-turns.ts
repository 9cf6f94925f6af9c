// Turns that ended elsewhere, written down as they were: an import's whole run in one unit, so that it becomes visible
// at once. Set-wise, in parts of a bounded size. Each agent is idle, with the epoch of its last turn.
import type { RunFrame, TurnFrame } from "@/server/contract/frame";
import type { EndStatus, Primitive, TargetStrategy } from "@/server/contract/turn";
import { columnsOf } from "../columns";
import { holdAgents } from "../roster/hold-agents";
import type { Unit } from "../unit";
import type { HeadcodeLetters } from "./headcode";
import { TURN_COLUMNS, type TurnRow, taskFrame, turnFrame } from "./turn-row";

export type RecordedTurn = Pick<
  TurnFrame,
  | "agent_turn_id"
  | "agent_id"
  | "turn_epoch"
  | "parent_turn_id"
  | "primitive"
  | "target_strategy"
  | "depth"
  | "profile_box_id"
  | "profile_name"
  | "worker_target"
  | "is_human"
  | "headcode"
  | "title"
  | "note"
  | "context_box_id"
  | "instruction_card_id"
  | "context_cards"
  | "context_tokens"
  | "context_consist"
  | "output_cards"
  | "output_tokens"
  | "output_consist"
  | "mark"
  | "created_at"
> &
  Required<Pick<TurnFrame, "output_box_id" | "output_start" | "deliverable_card_id" | "ended_at">> & {
    status: EndStatus;
  };

export type RecordedEdge = {
  edge_id: string;
  source_agent_id: string;
  source_turn_id: string;
  target_agent_id: string;
  target_turn_id: string;
  is_inferred: boolean;
  primitive: Primitive;
  target_strategy?: TargetStrategy;
  recursion_depth: number;
  created_at: string;
};

/** What an agent is left with: its epoch, and the output box that a later `reuse` would continue. */
export type RecordedHead = { agent_id: string; turn_epoch: number; last_output_box_id: string | null };

export type RecordedRun = {
  project_id: string;
  root_turn_id: string;
  trace_id: string;
  title: string;
  letters: HeadcodeLetters;
  metadata: Record<string, unknown>;
  /** Parents before children. Their agents are in the roster, their boxes and cards are written. */
  turns: RecordedTurn[];
  edges: RecordedEdge[];
  heads: RecordedHead[];
};

const PART = 500;

// Persons are not swept: what they are shown is on their screen. Their edges are written by themselves: some are inferred.
const TURNS = `
  WITH recorded AS (
    INSERT INTO state.agent_turns (project_id, root_turn_id, trace_id, agent_turn_id, agent_id, turn_epoch, status,
      parent_turn_id, primitive, target_strategy, depth, profile_box_id, profile_name, worker_target, is_human, headcode, title, note,
      context_box_id, output_box_id, output_start, instruction_card_id, deliverable_card_id, context_cards, context_tokens,
      context_consist, output_cards, output_tokens, output_consist, mark, created_at, leased_at, started_at, ended_at, tells_request, tells_response)
    SELECT $1, $2, $3, agent_turn_id, agent_id, turn_epoch, status,
      parent_turn_id, primitive, target_strategy, depth, profile_box_id, profile_name, worker_target, is_human, headcode, title, note,
      context_box_id, output_box_id, output_start, instruction_card_id, deliverable_card_id, context_cards, context_tokens,
      context_consist, output_cards, output_tokens, output_consist, mark, created_at, created_at, created_at, ended_at, false, false
    FROM jsonb_to_recordset($4::jsonb) AS g(agent_turn_id text, agent_id text, turn_epoch bigint, status text,
      parent_turn_id text, primitive text, target_strategy text, depth int, profile_box_id text, profile_name text,
      worker_target text, is_human boolean, headcode text, title text, note text, context_box_id text, output_box_id text, output_start int,
      instruction_card_id text, deliverable_card_id text, context_cards int, context_tokens bigint, context_consist text,
      output_cards int, output_tokens bigint, output_consist text, mark jsonb, created_at timestamptz, ended_at timestamptz)
    RETURNING ${columnsOf(TURN_COLUMNS, "agent_turns")}
  ), due AS (
    INSERT INTO state.alarm_due (project_id, subject_kind, subject_id)
    SELECT r.project_id, 'turn', r.agent_turn_id FROM recorded r WHERE NOT r.is_human
  )
  SELECT ${columnsOf(TURN_COLUMNS, "r")} FROM recorded r`;

const EDGES = `
  INSERT INTO state.edge_extra (project_id, root_turn_id, trace_id, edge_id, primitive, edge_phase, source_agent_id,
    source_turn_id, target_agent_id, target_turn_id, correlation_id, recursion_depth, is_inferred, metadata, created_at)
  SELECT $1, $2, $3, edge_id, 'enqueue', 'request', source_agent_id, source_turn_id, target_agent_id, target_turn_id,
    target_turn_id, recursion_depth, is_inferred,
    jsonb_strip_nulls(jsonb_build_object('primitive', primitive, 'target_strategy', target_strategy)), created_at
  FROM jsonb_to_recordset($4::jsonb) AS g(edge_id text, source_agent_id text, source_turn_id text, target_agent_id text,
    target_turn_id text, is_inferred boolean, primitive text, target_strategy text, recursion_depth int,
    created_at timestamptz)`;

const HEADS = `
  UPDATE resource.project_agents a SET turn_epoch = greatest(a.turn_epoch, g.turn_epoch), last_output_box_id = g.last_output_box_id
  FROM jsonb_to_recordset($2::jsonb) AS g(agent_id text, turn_epoch bigint, last_output_box_id text)
  WHERE a.project_id = $1 AND a.agent_id = g.agent_id`;

// The project's row numbers the run. It comes last: launches of the project wait for it.
const RUN = `
  WITH project AS (
    UPDATE projects SET run_count = run_count + 1, updated_at = now() WHERE project_id = $1 RETURNING run_count
  )
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source, letters, metadata)
  SELECT $1, $2, run_count, $3, 'import', $4::jsonb, $5::jsonb FROM project
  RETURNING number, rev, created_at`;

/** The run's frame. Throws when the project is gone or a turn of the run is there already: ask before. */
export async function recordTurns(unit: Unit, run: RecordedRun): Promise<RunFrame> {
  const { project_id, root_turn_id, trace_id, metadata, title } = run;
  await holdAgents(unit, { project_id, agent_ids: run.turns.map((turn) => turn.agent_id) });
  for (const part of partsOf(run.turns)) {
    const values = [project_id, root_turn_id, trace_id, JSON.stringify(part)];
    for (const row of await unit.query<TurnRow>("turn_record", TURNS, values)) frameEnd(unit, row);
  }
  for (const part of partsOf(run.edges)) {
    await unit.query("edge_record", EDGES, [project_id, root_turn_id, trace_id, JSON.stringify(part)]);
    for (const edge of part) frameEdge(unit, run, edge);
  }
  await recordHeads(unit, run);
  await unit.probe("before-run");
  const [row] = await unit.query<Pick<RunFrame, "number" | "rev" | "created_at">>("run_record", RUN, [
    project_id,
    root_turn_id,
    title,
    JSON.stringify(run.letters),
    JSON.stringify(metadata),
  ]);
  if (!row) throw new Error(`project ${project_id} was deleted while a run was being recorded in it`);
  const frame: RunFrame = { kind: "run", id: root_turn_id, root_turn_id, title, source: "import", metadata, ...row };
  unit.frame(project_id, frame);
  return frame;
}

/** What agents of turns that were recorded are left with. */
export async function recordHeads(
  unit: Unit,
  { project_id, heads }: { project_id: string; heads: RecordedHead[] },
): Promise<void> {
  for (const part of partsOf(heads)) await unit.query("head_record", HEADS, [project_id, JSON.stringify(part)]);
}

function* partsOf<T>(items: T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += PART) yield items.slice(at, at + PART);
}

function frameEnd(unit: Unit, row: TurnRow): void {
  unit.frame(row.project_id, turnFrame(row));
  unit.frame(row.project_id, taskFrame(row));
}

function frameEdge(unit: Unit, run: RecordedRun, edge: RecordedEdge): void {
  unit.frame(run.project_id, {
    kind: "edge",
    id: edge.edge_id,
    rev: 1,
    root_turn_id: run.root_turn_id,
    source_turn_id: edge.source_turn_id,
    target_turn_id: edge.target_turn_id,
    is_inferred: edge.is_inferred,
    primitive: edge.primitive,
    target_strategy: edge.target_strategy,
    created_at: edge.created_at,
  });
}
