// Plans that run, measured: from the end of a node to the start of the next, beside the end of a branch and a fork of one; and
// what the kernel's check of a plan takes, for one changed wagon and for all of 300. `npx tsx bench/plan-runs.ts [rounds]`
import { fork } from "@/server/kernel/batch/fork";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { checkPlan } from "@/server/kernel/plan/check-plan";
import { parseBody } from "@/server/kernel/plan/parse-body";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { withUnit } from "@/server/kernel/unit";
import { withBenchKernel } from "./bench-kernel";

const rounds = Number(process.argv[2] ?? 60);
const project_id = "plans";

const chain = (n: number) => ({
  switchyard: "plan/1",
  name: `chain of ${n}`,
  nodes: Array.from({ length: n }, (_, i) => ({
    id: `n${i}`,
    target: { ref: "Plain" },
    instruction: `Do ${i}`,
    ...(i > 0 && { load: [{ from: `n${i - 1}` }] }),
  })),
  limits: { turns_max: 1_000 },
});

await withBenchKernel(async ({ kernel }) => {
  await createProject(kernel, { project_id, title: project_id });
  const profile = parseProfile({
    name: "Plain",
    system_prompt: "You are {display_name}.",
    delegation_policy: { target_tags: [] },
  });
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id, author_id: "bench", profile }));
  const [follow, settleAndFork] = [await following(kernel), await settling(kernel)];
  const [followed, alone]: [number[], number[]] = [[], []];
  // In turns, so that both have the machine as it is at that time.
  for (let i = 0; i < rounds; i++) {
    followed.push(await follow(i));
    alone.push(await settleAndFork(i + 1));
  }
  console.log(
    `end of a node to the start of the next, committed: p50 ${ms(p(followed, 0.5))}, p95 ${ms(p(followed, 0.95))}; a settle and a fork of one: p50 ${ms(p(alone, 0.5))}, p95 ${ms(p(alone, 0.95))}; ratio of p50 ${(p(followed, 0.5) / p(alone, 0.5)).toFixed(2)}`,
  );
  const plan = parseBody(chain(300));
  const check = (nodes?: string[]) =>
    timed(async () => {
      await checkPlan(kernel, { project_id, plan, as: { user: "ann" }, nodes, offer: readOffers });
    });
  const [one, all] = [await many(20, () => check(["n299"])), await many(8, () => check())];
  console.log(`check of a plan of 300: one wagon p95 ${ms(p(one, 0.95))}, all p95 ${ms(p(all, 0.95))}`);
});

type Step = (i: number) => Promise<number>;

/** From the delivery of a node's turn to the commit of the next one's batch. */
async function following(kernel: Kernel): Promise<Step> {
  const { result } = await launch(kernel, {
    project_id,
    tool: "launch_plan",
    user: "ann",
    args: { body: chain(rounds + 1) },
  });
  if (!("plan_run_id" in result)) throw new Error("a plan was launched");
  return async (i) => {
    const turn = await running(kernel, "plan_node_id = $2 AND plan_run_id = $3", [`n${i}`, result.plan_run_id]);
    return timed(async () => {
      await deliver(kernel, turn);
      await until(async () => (await nodeStatus(kernel, result.plan_run_id, `n${i + 1}`)) === "running");
    });
  };
}

/** The same work without a plan: the only branch of a batch ends and its batch is settled, and an agent forks one. */
async function settling(kernel: Kernel): Promise<Step> {
  const forkOne = async (parent: Turn & { agent_id: string }, i: number): Promise<string> => {
    const answer = await fork(kernel, {
      project_id,
      caller: { ...parent, step_id: "step", tool_call_id: `tc_${i}_${parent.agent_turn_id}` },
      tool: "fork_join",
      args: { tasks: [{ target_strategy: "new", target_ref: "Plain", instruction: "Do it" }] },
    });
    if (isFenced(answer)) throw new Error("the caller was fenced");
    return answer.batch_id;
  };
  let batch_id = await forkOne(await parentTurn(kernel), 0);
  return async (i) => {
    const turn = await running(kernel, "batch_id = $2", [batch_id]);
    const parent = await parentTurn(kernel);
    return timed(async () => {
      const ending = batch_id;
      await deliver(kernel, turn);
      await until(async () => (await batchStatus(kernel, ending)) === "success");
      batch_id = await forkOne(parent, i);
    });
  };
}

/** An agent's turn that runs. */
async function parentTurn(kernel: Kernel): Promise<Turn & { agent_id: string }> {
  const { result } = await launch(kernel, {
    project_id,
    tool: "delegate_async",
    user: "ann",
    args: { target_strategy: "new", target_ref: "Plain", instruction: "Fork" },
  });
  if (!("turn_epoch" in result)) throw new Error("a delegation was launched");
  const { agent_id, agent_turn_id } = result;
  const turn = { agent_turn_id, turn_epoch: result.turn_epoch ?? 0 };
  const started = await startTurn(kernel, { project_id, ...turn, worker_id: "bench" });
  if (isFenced(started)) throw new Error("the turn could not be started");
  return { ...turn, agent_id };
}

type Turn = { agent_turn_id: string; turn_epoch: number };

async function running(kernel: Kernel, where: string, values: string[]): Promise<Turn> {
  const { rows } = await kernel.db.pool.query<Turn>(
    `SELECT t.agent_turn_id, t.turn_epoch FROM state.pmo_batches b JOIN state.agent_turns t ON t.project_id = b.project_id AND t.batch_id = b.batch_id
     WHERE b.project_id = $1 AND b.${where.replace(" AND ", " AND b.")}`,
    [project_id, ...values],
  );
  const [turn] = rows;
  if (!turn) throw new Error("a batch has no turn");
  const started = await startTurn(kernel, { project_id, ...turn, worker_id: "bench" });
  if (isFenced(started)) throw new Error("the turn could not be started");
  return turn;
}

function deliver(kernel: Kernel, turn: Turn) {
  return deliverTurn(kernel, { project_id, ...turn, status: "success", content: { kind: "text", text: "done" } });
}

/** Asked in a loop until it is so: what follows a delivery goes on after its commit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 10_000; i++) if (await isSo()) return;
  throw new Error("it did not come about");
}

async function nodeStatus(kernel: Kernel, plan_run_id: string, node_id: string): Promise<string | undefined> {
  const { rows } = await kernel.db.pool.query<{ status: string }>(
    "SELECT status FROM state.plan_run_nodes WHERE project_id = $1 AND plan_run_id = $2 AND node_id = $3",
    [project_id, plan_run_id, node_id],
  );
  return rows[0]?.status;
}

async function batchStatus(kernel: Kernel, batch_id: string): Promise<string | undefined> {
  const { rows } = await kernel.db.pool.query<{ status: string }>(
    "SELECT status FROM state.pmo_batches WHERE project_id = $1 AND batch_id = $2",
    [project_id, batch_id],
  );
  return rows[0]?.status;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function many(n: number, work: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < n; i++) times.push(await work());
  return times;
}

function p(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`;
}
