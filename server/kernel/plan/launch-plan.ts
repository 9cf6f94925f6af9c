// Launches a plan: its run and all nodes, waiting, in one unit, with a headcode kept for every turn it will be. The caller's
// turn waits for it. After the commit the run is advanced.

import { KernelError } from "@/server/contract/errors";
import { givenValue } from "@/server/contract/plan/given-value";
import { graphOf, placesInOrder } from "@/server/contract/plan/graph";
import { laidOut } from "@/server/contract/plan/lay-out-plan";
import type { LaunchPlanResult } from "@/server/contract/plan/plan-record";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { columnsOf } from "../columns";
import type { Caller } from "../delegation/caller";
import { takeHeadcodes } from "../delegation/take-headcodes";
import type { Unit } from "../unit";
import { hashPlan } from "./hash-plan";
import { advanceAfter } from "./on-turns-ended";
import {
  type GivenInput,
  PLAN_NODE_COLUMNS,
  PLAN_RUN_COLUMNS,
  type PlanNodeRow,
  type PlanRunKey,
  type PlanRunRow,
  planNodeFrame,
  planRunFrame,
} from "./plan-row";
import type { PlanToLaunch } from "./plan-to-launch";
import { profilesOf } from "./profiles-of";

export type PlanLaunch = PlanToLaunch & {
  project_id: string;
  /** Its turn is suspended, or about to be. */
  caller: Caller;
  parent_tool_call_id: string | null;
};

export type LaunchedPlan = { plan_run_id: string; nodes: Pick<PlanNodeRow, "node_id" | "headcodes">[] };

export const answerOf = ({ plan_run_id, nodes }: LaunchedPlan): LaunchPlanResult => ({
  status: "suspended",
  plan_run_id,
  nodes: nodes.map(({ node_id, headcodes }) => ({ node_id, headcodes })),
});

const LAUNCHED = "SELECT node_id, headcodes FROM state.plan_run_nodes WHERE project_id = $1 AND plan_run_id = $2";

/** The answer to the earlier launch. */
export async function readLaunchedPlan(unit: Unit, key: PlanRunKey): Promise<LaunchPlanResult> {
  const nodes = await unit.query<LaunchedPlan["nodes"][number]>("plan_launched", LAUNCHED, [
    key.project_id,
    key.plan_run_id,
  ]);
  return answerOf({ plan_run_id: key.plan_run_id, nodes });
}

// The plan stays while it has runs: whoever deletes it waits, and then sees this one.
const INSERT = `
  WITH plan AS (
    SELECT p.plan_id FROM resource.plans p WHERE p.project_id = $1 AND p.plan_id = $6 FOR SHARE
  ), run AS (
    INSERT INTO state.plan_runs (project_id, plan_run_id, parent_turn_id, parent_tool_call_id, root_turn_id, plan_id, version, body,
      sha256, layout, inputs, is_stepped, deadline_at, forked_from)
    SELECT $1, $2, $3, $4, $5, $6, $7::int, $8::jsonb, $9, $10::jsonb, $11::jsonb, $12::boolean, now() + $13 * interval '1 ms', $15
    WHERE $6::text IS NULL OR EXISTS (SELECT 1 FROM plan)
    RETURNING ${columnsOf(PLAN_RUN_COLUMNS, "plan_runs")}
  ), nodes AS (
    INSERT INTO state.plan_run_nodes (project_id, plan_run_id, node_id, headcodes, status, replays, reason, ended_at)
    SELECT $1, $2, g.node_id, ARRAY(SELECT jsonb_array_elements_text(g.headcodes)), g.status, g.replays, g.reason,
      CASE WHEN g.status = 'replayed' THEN now() END
    FROM jsonb_to_recordset($14::jsonb) AS g(node_id text, headcodes jsonb, status text, replays jsonb, reason text)
    RETURNING ${columnsOf(PLAN_NODE_COLUMNS, "plan_run_nodes")}
  )
  SELECT (SELECT to_jsonb(r) FROM run r) AS run, (SELECT jsonb_agg(to_jsonb(n)) FROM nodes n) AS nodes`;

export async function launchPlanIn(unit: Unit, launch: PlanLaunch): Promise<LaunchedPlan> {
  const { project_id, caller, plan } = launch;
  const codes = await keepHeadcodes(unit, launch);
  const inputs = launch.forked?.inputs ?? (await giveInputs(unit, launch));
  const plan_run_id = unit.kernel.newId("prun_");
  const { layout: _, ...body } = plan;
  const { deadline_seconds } = plan.limits;
  const nodes = plan.nodes.map(({ id }) => ({ node_id: id, headcodes: codes.get(id) ?? [], ...beginOf(launch, id) }));
  const [made] = await unit.query<{ run: PlanRunRow; nodes: PlanNodeRow[] | null }>("plan_insert", INSERT, [
    project_id,
    plan_run_id,
    caller.turn.agent_turn_id,
    launch.parent_tool_call_id,
    caller.turn.root_turn_id,
    launch.plan_id,
    launch.version,
    JSON.stringify(body),
    hashPlan(plan),
    JSON.stringify(laidOut(plan)),
    JSON.stringify(inputs),
    launch.is_stepped,
    deadline_seconds === undefined ? null : Math.round(deadline_seconds * 1000),
    JSON.stringify(nodes),
    launch.forked?.plan_run_id ?? null,
  ]);
  // Deleted since it was read.
  if (!made?.run) throw new KernelError("not_found", `plan ${plan.name} not found in project ${project_id}`);
  unit.frame(project_id, planRunFrame(made.run, plan.name));
  for (const node of made.nodes ?? []) unit.frame(project_id, planNodeFrame(node, made.run.root_turn_id));
  await advanceAfter(unit, { project_id, plan_run_id });
  return { plan_run_id, nodes: made.nodes ?? [] };
}

function beginOf({ forked }: PlanLaunch, id: string) {
  const taken = forked?.replays.get(id);
  if (!taken) return { status: "waiting" as const };
  const { replays, reason } = taken;
  return replays.tasks ? { status: "waiting" as const, replays } : { status: "replayed" as const, replays, reason };
}

/** Places that make a turn: what is replayed makes none. */
function startingPlaces({ plan, forked }: PlanLaunch): string[] {
  return placesInOrder(graphOf(plan)).filter((place) => {
    const replays = forked?.replays.get(nodeIdOf(place))?.replays;
    return !replays || (replays.tasks !== undefined && !Object.hasOwn(replays.tasks, place.split(".")[1] ?? ""));
  });
}

/** By node, in task order; given in starting order, so that a drawing's codes rise from left to right. */
async function keepHeadcodes(unit: Unit, launch: PlanLaunch): Promise<Map<string, string[]>> {
  const { project_id, caller } = launch;
  const places = startingPlaces(launch);
  const profiles = await profilesOf(unit, project_id, launch.plan, places);
  const { codes } = await takeHeadcodes(unit, {
    project_id,
    root_turn_id: caller.turn.root_turn_id,
    turns: places.map((place) => ({ profile_name: profiles.get(place) ?? "", depth: caller.turn.depth + 1 })),
    adds: places.length,
  });
  const byNode = new Map<string, string[]>();
  for (const [i, place] of places.entries()) {
    const node = nodeIdOf(place);
    byNode.set(node, [...(byNode.get(node) ?? []), codes[i] ?? ""]);
  }
  return byNode;
}

/** Texts become cards, made once a run, in a box of the caller's, so that the caller may hand them over. */
async function giveInputs(unit: Unit, launch: PlanLaunch): Promise<Record<string, GivenInput>> {
  const { project_id, caller, plan } = launch;
  const given = plan.inputs.flatMap((input) => {
    const value = givenValue(input, launch.inputs);
    return value === undefined ? [] : [{ ...input, value }];
  });
  const texts = given.filter(({ kind }) => kind === "text");
  const { agent_id, agent_turn_id, trace_id } = caller.turn;
  const cards = await insertCards(unit, {
    project_id,
    metadata: { agent_turn_id, trace_id },
    cards: texts.map(({ name, value }) => ({
      type: "task.input",
      author_id: agent_id,
      role: "user",
      content: value,
      metadata: { input: name },
    })),
  });
  if (cards.length > 0)
    await createBoxes(unit, {
      project_id,
      boxes: [
        {
          kind: "context",
          owner_agent_id: agent_id,
          owner_turn_id: agent_turn_id,
          items: cards.map((card) => ({ ...card, origin: "given" })),
        },
      ],
    });
  return Object.fromEntries(
    given.map(({ name, kind, value }): [string, GivenInput] => {
      if (kind === "box") return [name, { box_id: value }];
      const card_id = kind === "card" ? value : cards[texts.findIndex((text) => text.name === name)]?.card_id;
      if (card_id === undefined) throw new Error("a card was given and none came back");
      return [name, kind === "card" ? { card_id } : { text: value, card_id }];
    }),
  );
}
