// The root turn of a launch: the person's input is its context, a pointer to what it launched its deliverable. It ends as
// soon as it is created; one that forks waits for its join. Either way no agent leases it.
import type { CardContent } from "@/server/contract/card";
import { formatConsist } from "@/server/contract/consist";
import type { RootOrigin } from "@/server/contract/delegation-context";
import type { RunLimits } from "@/server/contract/run-limits";
import { createBoxes } from "../cardbox/create-boxes";
import { draftCards } from "../cardbox/insert-cards";
import { columnsOf } from "../columns";
import { nextHeadcode } from "../turns/headcode";
import { HUMAN_PROFILE, HUMAN_TARGET, TURN_COLUMNS, type TurnRow, taskFrame, turnFrame } from "../turns/turn-row";
import type { Unit } from "../unit";

export type LaunchRecord = {
  project_id: string;
  /** Of a run of its own. */
  run_number?: number;
  /** The run it joins: its root, and this turn's code in it. */
  into?: { root_turn_id: string; headcode: string };
  source: "launch" | "demo";
  human: { agent_id: string; profile_box_id: string };
  turn_id: string;
  trace_id: string;
  action_id?: string;
  /** Of what it asked for; null or absent = it has no action_id. */
  action_sha256?: string | null;
  /** Of a run of its own. */
  limits?: RunLimits;
  /** Absent = by a human. */
  origin?: RootOrigin;
  /** What the person typed, and what it started. */
  put_in: string;
  title: string;
  /** null = it waits for what it launched, and its deliverable is written with the join. */
  pointer: CardContent | null;
};

const RUN = `
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source, letters, metadata, limits) VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb)
  RETURNING created_at`;

// The person is held: a run that is deleted takes along people who have no turn.
const TURN = `
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, turn_epoch, status, root_turn_id, primitive, depth, trace_id,
    profile_box_id, profile_name, worker_target, is_human, context_box_id, output_box_id, output_start, instruction_card_id,
    deliverable_card_id, headcode, title, context_cards, context_tokens, context_consist, output_cards, output_tokens,
    output_consist, action_id, parent_turn_id, action_sha256, started_at, ended_at)
  SELECT $1, $2, person.agent_id, 1, CASE WHEN $11::text IS NULL THEN 'suspended' ELSE 'success' END, coalesce($19, $2), 'ui_action', 0, $4, $5, $6, $7, true, $8, $9, 0,
    $10, $11, $12, $13, 1, $14, $15, CASE WHEN $11::text IS NULL THEN 0 ELSE 1 END, $16, $17, $18, $19, $20, now(),
    CASE WHEN $11::text IS NULL THEN NULL ELSE now() END
  FROM (SELECT a.agent_id FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = $3 FOR KEY SHARE) person
  RETURNING ${columnsOf(TURN_COLUMNS, "agent_turns")}`;

const POINTER = `
  UPDATE resource.project_agents SET last_output_box_id = $3 WHERE project_id = $1 AND agent_id = $2`;

/** `behind`: called after the insert is sent and before its answer; it may send reads of the new turn. */
export async function recordLaunch(unit: Unit, launch: LaunchRecord, behind?: () => void): Promise<TurnRow> {
  const { project_id, human, turn_id } = launch;
  const metadata = { agent_turn_id: turn_id, trace_id: launch.trace_id };
  const cards = await draftCards(unit, {
    project_id,
    metadata,
    cards: [
      { type: "task.instruction", author_id: human.agent_id, content: launch.put_in },
      ...(launch.pointer
        ? [{ type: "task.deliverable", author_id: human.agent_id, content: launch.pointer } as const]
        : []),
    ],
  });
  const [instruction, deliverable] = cards;
  if (!instruction) throw new Error("a card was given and none came back");
  const owner = { owner_agent_id: human.agent_id, owner_turn_id: turn_id };
  const [context, output] = await createBoxes(unit, {
    project_id,
    cards,
    boxes: [
      { kind: "context", ...owner, items: [{ ...instruction, origin: "given" }] },
      { kind: "output", ...owner, items: deliverable ? [{ ...deliverable, origin: `turn:${turn_id}` }] : [] },
    ],
  });
  if (!context || !output) throw new Error("two boxes were asked for and fewer came back");
  // None waits for another's answer.
  const making = launch.into ? undefined : insertRun(unit, launch);
  const turning = unit.query<TurnRow>("turn_insert_launch", TURN, [
    project_id,
    turn_id,
    human.agent_id,
    launch.trace_id,
    human.profile_box_id,
    HUMAN_PROFILE,
    HUMAN_TARGET,
    context.box_id,
    output.box_id,
    instruction.card_id,
    deliverable?.card_id ?? null,
    launch.into?.headcode ?? personsHeadcode(1),
    launch.title,
    instruction.token_count,
    formatConsist([{ role: "user", tokens: instruction.token_count }]),
    deliverable?.token_count ?? 0,
    formatConsist(deliverable ? [{ role: "assistant", tokens: deliverable.token_count }] : []),
    launch.action_id ?? null,
    launch.into?.root_turn_id ?? null,
    launch.action_sha256 ?? null,
  ]);
  unit.send("pointer_set", POINTER, [project_id, human.agent_id, output.box_id]);
  behind?.();
  const [[row]] = await Promise.all([turning, making]);
  if (!row) throw new Error("a launch was inserted and did not come back");
  unit.frame(project_id, turnFrame(row));
  if (deliverable === undefined) return row;
  unit.frame(project_id, taskFrame(row));
  return row;
}

/** The nth person of a run. Only people have depth 0, so the code takes no letter from an agent. */
export const personsHeadcode = (n: number): string => {
  const { headcode } = nextHeadcode(n === 1 ? {} : { H: { profile: HUMAN_PROFILE, count: n - 1 } }, HUMAN_PROFILE, 0);
  return headcode;
};

async function insertRun(unit: Unit, launch: LaunchRecord): Promise<void> {
  const { project_id, turn_id, run_number, title, source } = launch;
  if (run_number === undefined) throw new Error("a run needs a number");
  const metadata = metadataOf(launch);
  const limits = launch.limits && Object.keys(launch.limits).length > 0 ? launch.limits : undefined;
  const stored = limits ? JSON.stringify(limits) : null;
  const values = [project_id, turn_id, run_number, title, source, "{}", JSON.stringify(metadata), stored];
  const [run] = await unit.query<{ created_at: string }>("run_insert", RUN, values);
  if (!run) throw new Error("a run was inserted and did not come back");
  const { created_at } = run;
  const id = { id: turn_id, root_turn_id: turn_id };
  unit.frame(project_id, {
    kind: "run",
    ...id,
    rev: 1,
    number: run_number,
    title,
    source,
    metadata,
    created_at,
    ...(limits && { limits }),
  });
}

const metadataOf = ({ origin }: LaunchRecord): Record<string, unknown> => (origin === undefined ? {} : { origin });
