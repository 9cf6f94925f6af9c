// What names what in a bundle: the id of each line, and the lines that it refers to.
import type { LinedPart } from "./part-lines";

type Line = Record<string, unknown>;
export type Ids = Map<LinedPart, Set<string>>;
type To = LinedPart | "tasks";
export type Reference = { field: string; to: To; id: string };

const keys: Record<LinedPart, readonly string[]> = {
  "run.json": ["root_turn_id"],
  "turns.jsonl": ["agent_turn_id"],
  "steps.jsonl": ["step_id"],
  "requests.jsonl": ["step_id"],
  "edges.jsonl": ["edge_id"],
  "boxes.jsonl": ["box_id"],
  "cards.jsonl": ["card_id"],
  "agents.jsonl": ["agent_id"],
  "profiles.jsonl": ["profile_box_id"],
  "tools.jsonl": ["tool_name"],
  "batches.jsonl": ["batch_id"],
  "env.jsonl": ["key"],
  "human_requests.jsonl": ["request_id"],
  "alarms.jsonl": ["alarm_id"],
  "marks.jsonl": ["agent_turn_id"],
  "artifacts/files.jsonl": ["sha256"],
  "artifacts/names.jsonl": ["area", "name"],
  "artifacts/packs.jsonl": ["sha256"],
  "identity_edges.jsonl": ["edge_id"],
  "alarm_mutes.jsonl": ["alarm_id"],
  "plan_runs.jsonl": ["plan_run_id"],
  "plan_nodes.jsonl": ["plan_run_id", "node_id"],
  "plan_edits.jsonl": ["plan_run_id", "n"],
  "notes.json": [],
};

export const idOf = (part: LinedPart, line: Line): string => keys[part].map((key) => String(line[key])).join("/");

const AGENT = "agents.jsonl";
const TURN = "turns.jsonl";
const BOX = "boxes.jsonl";
const CARD = "cards.jsonl";
const FILE = "artifacts/files.jsonl";

const fields: Partial<Record<LinedPart, Record<string, To>>> = {
  "turns.jsonl": {
    agent_id: AGENT,
    parent_turn_id: TURN,
    profile_box_id: BOX,
    context_box_id: BOX,
    output_box_id: BOX,
    instruction_card_id: CARD,
    deliverable_card_id: CARD,
    batch_id: "batches.jsonl",
    batch_task_id: "tasks",
  },
  "steps.jsonl": { agent_turn_id: TURN, agent_id: AGENT, request_box_id: BOX },
  "requests.jsonl": { step_id: "steps.jsonl" },
  "edges.jsonl": {
    source_agent_id: AGENT,
    target_agent_id: AGENT,
    source_turn_id: TURN,
    target_turn_id: TURN,
    root_turn_id: TURN,
    source_step_id: "steps.jsonl",
  },
  "boxes.jsonl": { owner_agent_id: AGENT, owner_turn_id: TURN, card_ids: CARD },
  "agents.jsonl": { profile_box_id: BOX, owner_agent_id: AGENT, derived_from: AGENT },
  "profiles.jsonl": { profile_box_id: BOX },
  "batches.jsonl": { parent_agent_id: AGENT, parent_agent_turn_id: TURN },
  "env.jsonl": { stored_by_turn_id: TURN },
  "human_requests.jsonl": { agent_id: AGENT, agent_turn_id: TURN, tool_call_card_id: CARD, decision_card_id: CARD },
  "alarms.jsonl": { agent_turn_id: TURN },
  "marks.jsonl": { agent_turn_id: TURN },
  "artifacts/names.jsonl": { sha256: FILE },
  "artifacts/packs.jsonl": {
    sha256: FILE,
    sidecar_sha256: FILE,
    input_sha256: FILE,
    sources: FILE,
    agent_turn_id: TURN,
  },
  "identity_edges.jsonl": { source_agent_id: AGENT, target_agent_id: AGENT },
  "alarm_mutes.jsonl": { alarm_id: "alarms.jsonl" },
  "plan_runs.jsonl": { parent_turn_id: TURN },
  "plan_nodes.jsonl": {
    plan_run_id: "plan_runs.jsonl",
    batch_id: "batches.jsonl",
    request_id: "human_requests.jsonl",
  },
  "plan_edits.jsonl": { plan_run_id: "plan_runs.jsonl" },
};
const OF_PLAN: Record<string, To> = { plan_run_id: "plan_runs.jsonl" };
const OF_TASK: Record<string, To> = { agent_id: AGENT, agent_turn_id: TURN, context_box_id: BOX, output_box_id: BOX };

export function* referencesOf(part: LinedPart, line: Line): Generator<Reference> {
  yield* namedIn(line, fields[part] ?? {});
  if (part !== "batches.jsonl") return;
  yield* namedIn((line.plan ?? {}) as Line, OF_PLAN);
  for (const task of line.tasks as Line[]) yield* namedIn(task, OF_TASK);
}

function* namedIn(line: Line, of: Record<string, To>): Generator<Reference> {
  for (const [field, to] of Object.entries(of)) {
    const value = line[field];
    for (const id of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof id === "string") yield { field, to, id };
  }
}
