// Makes a plan from what was given: a turn is one wagon, a batch one fork, a launch or a plan run all of it. Nothing is written,
// and what cannot be told exactly is said in the notes.
import { KernelError } from "@/server/contract/errors";
import { freeId, parsePlan } from "@/server/contract/plan/parse-plan";
import { Layout, type Plan } from "@/server/contract/plan/plan";
import { titleOf } from "@/server/contract/plan/plan-words";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { type LiftedRider, liftRider } from "./lift-rider";
import { BRACE, BRACE_NOTE, withLiteralBraces } from "./literal-braces";
import { noPlanRun } from "./no-plan-run";
import { type GivenTurn, readGiven } from "./read-given";
import { readPlanRun } from "./read-plan-runs";

export type LiftPlan = { project_id: string; agent_turn_id?: string; batch_id?: string; plan_run_id?: string };
/** `at`: the node or fork.task that a note stands on. */
export type LiftedPlan = { body: Omit<Plan, "layout">; layout: Layout; notes: { at: string; text: string }[] };

/** bad_request unless exactly one is named, and for a turn that gave nothing; not_found for one of another project too. */
export async function liftPlan(kernel: Kernel, input: LiftPlan): Promise<LiftedPlan> {
  const { project_id, agent_turn_id, batch_id, plan_run_id } = input;
  if ([agent_turn_id, batch_id, plan_run_id].filter((one) => one !== undefined).length !== 1)
    throw new KernelError("bad_request", "name one of agent_turn_id, batch_id and plan_run_id");
  if (plan_run_id !== undefined) return ofRun(kernel, { project_id, plan_run_id });
  return withUnit(kernel, async (unit) => {
    if (batch_id !== undefined) return planOf(await turnsOf(unit, input, { batch_id }), new Map());
    const [turn] = await unit.query<Asked>("lift_turn", TURN, [project_id, agent_turn_id]);
    if (!turn) throw new KernelError("not_found", `turn ${agent_turn_id} not found in project ${project_id}`);
    if (turn.plan_run_id !== null) return ofRun(kernel, { project_id, plan_run_id: turn.plan_run_id });
    const given = { agent_turn_id: agent_turn_id ?? "" };
    const turns = turn.is_human
      ? await turnsOf(unit, input, { parent_turn_id: given.agent_turn_id })
      : await turnsOf(unit, input, given);
    if (turn.is_human) return planOf(turns, resultsOf(turns));
    // One task of a fork is one wagon, whoever its siblings were.
    return planOf(
      turns.map((one) => (one.tool_name === "fork_join" ? { ...one, tool_name: "plan_wagon" as const } : one)),
      new Map(),
    );
  });
}

type Asked = { is_human: boolean; plan_run_id: string | null };
const TURN = `
  SELECT t.is_human, (SELECT r.plan_run_id FROM state.plan_runs r WHERE r.project_id = $1 AND r.parent_turn_id = $2 AND t.is_human LIMIT 1) AS plan_run_id
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

async function ofRun(kernel: Kernel, key: { project_id: string; plan_run_id: string }): Promise<LiftedPlan> {
  const { body, layout } = await readPlanRun(kernel, key);
  if (!body) throw noPlanRun(key);
  return { body, layout, notes: [] };
}

async function turnsOf(
  unit: Unit,
  { project_id }: LiftPlan,
  of: Parameters<typeof readGiven>[2],
): Promise<GivenTurn[]> {
  const turns = await readGiven(unit, project_id, of);
  if (turns.length > 0) return turns;
  if ("batch_id" in of) throw new KernelError("not_found", `batch ${of.batch_id} not found in project ${project_id}`);
  throw new KernelError("bad_request", "agent_turn_id: this turn launched nothing that a plan could start", {
    path: "agent_turn_id",
  });
}

/** Of a launch: whose output and whose deliverable a later turn may have been given. */
type Results = ReadonlyMap<string, { output_box_id: string | null; deliverable_card_id: string | null }>;
const resultsOf = (turns: readonly GivenTurn[]): Results => new Map(turns.map((turn) => [turn.agent_turn_id, turn]));

function planOf(turns: readonly GivenTurn[], results: Results): LiftedPlan {
  const groups = new Map<string, GivenTurn[]>();
  for (const turn of turns) {
    const key = turn.batch_id ?? turn.agent_turn_id;
    groups.set(key, [...(groups.get(key) ?? []), turn]);
  }
  const taken = new Set<string>();
  const sources = { boxes: new Map<string, string>(), cards: new Map<string, string>() };
  const notes: LiftedPlan["notes"] = [];
  const lifting: Lifting = { taken, sources, notes, results, hasBraces: false };
  const nodes = [...groups.values()].map((group) => nodeOf(group, lifting));
  const inputs = lifting.hasBraces ? [BRACE] : [];
  const read = parsePlan({ switchyard: "plan/1", name: "", inputs, nodes });
  if (!("plan" in read)) throw new Error(`a lifted plan is malformed: ${read.fault.path}: ${read.fault.message}`);
  const { layout, ...body } = read.plan;
  return { body, layout: Layout.parse(layout), notes };
}

type Lifting = {
  taken: Set<string>;
  sources: { boxes: Map<string, string>; cards: Map<string, string> };
  notes: LiftedPlan["notes"];
  results: Results;
  hasBraces: boolean;
};

function nodeOf(group: readonly GivenTurn[], lifting: Lifting): object {
  const { taken, notes } = lifting;
  const [first] = group;
  if (!first) throw new Error("a group of turns is empty");
  const isFork = first.tool_name === "fork_join" || group.length > 1;
  const lifted = group.map((turn) => ({ turn, ...liftRider(turn, lifting.sources) }));
  const id = freeId(isFork ? "fork" : titleOf(lifted[0]?.rider ?? {}) || first.profile_name, taken);
  taken.add(id);
  const seconds = first.deadline_seconds;
  const deadline_seconds = seconds !== null && seconds > 0 ? { deadline_seconds: seconds } : {};
  if (!isFork) {
    const [only] = lifted;
    for (const text of only?.notes ?? []) notes.push({ at: id, text });
    remember(lifting, first, id);
    return {
      id,
      kind: first.tool_name === "ask_expert" ? "ask" : "wagon",
      ...asWritten(lifting, only?.rider, id),
      ...deadline_seconds,
    };
  }
  const ids = new Set<string>();
  const tasks = lifted.map(({ turn, rider, notes: own }) => {
    const task = freeId(titleOf(rider) || turn.profile_name, ids);
    ids.add(task);
    for (const text of own) notes.push({ at: `${id}.${task}`, text });
    return { id: task, ...asWritten(lifting, rider, `${id}.${task}`) };
  });
  for (const [i, { turn }] of lifted.entries()) remember(lifting, turn, `${id}.${tasks[i]?.id ?? ""}`);
  const { fail_fast, max_parallel, policy } = first;
  const gate = {
    ...(fail_fast && { fail_fast }),
    ...(max_parallel !== null && { max_parallel }),
    ...(policy !== null && { policy }),
    ...deadline_seconds,
  };
  return { id, kind: "fork", tasks, gate };
}

function asWritten(lifting: Lifting, rider: LiftedRider | undefined, at: string): object {
  const written = rider && withLiteralBraces(rider);
  if (!written) return { ...rider };
  lifting.hasBraces = true;
  lifting.notes.push({ at, text: BRACE_NOTE });
  return written;
}

function remember({ sources, results }: Lifting, turn: GivenTurn, place: string): void {
  const result = results.get(turn.agent_turn_id);
  if (result?.output_box_id) sources.boxes.set(result.output_box_id, place);
  if (result?.deliverable_card_id) sources.cards.set(result.deliverable_card_id, place);
}
