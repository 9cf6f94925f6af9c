// A batch as a state machine: its branches end, are stopped and dispatched, its deadline passes, it is settled, swept and
// canceled, its parent is stopped, by three processes at once, compared with a model. Whether the follow-ups of a commit run
// or are lost with their process is random.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { callersOf, toNew } from "@/server/testing/callers";
import { policyOf } from "@/server/testing/gate-policies";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import {
  type Act,
  checkMachine,
  type Machine,
  modelTest,
  modelTestMs,
  type Possible,
  type Step,
} from "@/server/testing/machine";
import type { Kernel } from "../kernel";
import { stopTurn } from "../reclaim/stop-turn";
import { sweepBatches } from "../reclaim/sweep-batches";
import { deliverTurn } from "../turns/deliver-turn";
import { isFenced } from "../turns/fenced";
import { startTurn } from "../turns/start-turn";
import { suspendTurn } from "../turns/suspend-turn";
import { cancelBatch } from "./cancel-batch";
import { fork } from "./fork";
import { onTurnsEnded } from "./on-turns-ended";
import { settleBatch } from "./settle";

type Ended = "success" | "partial" | "failed" | "timeout" | "canceled";
type Batch = {
  status: "running" | Ended;
  parent: "suspended" | "canceled";
  /** Results that its call has received. */
  woken: number;
  is_overdue: boolean;
  /** The policy's own time is over. */
  is_gate_due: boolean;
  arrivals: number[];
  late: number[];
  tasks: ("pending" | "dispatched" | Ended)[];
};
type Options = { fail_fast: boolean; max_parallel: number | null; policy: JoinPolicy | null };
type World = Options & { project_id: string; batch_id: string; tool_call_id: string; parent_id: string };

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

test(
  "batch: whatever three processes do to it at once, some sequential order explains the result",
  async () => {
    await checkMachine(kernel, openBatch, modelTest(30, 9));
  },
  modelTestMs,
);

// Small and mixed: the number of the run decides the kind of batch.
let opened = 0;

async function openBatch(project_id: string): Promise<Machine<Batch>> {
  const n = opened++;
  const count = 1 + (n % 5);
  const policy = policyOf(n, count);
  const options: Options = {
    fail_fast: policy === null && n % 3 === 1,
    max_parallel: n % 2 === 1 ? 1 + (n % 3) : null,
    policy,
  };
  await seedProject(kernel, project_id, [{ name: "Agent", worker_target: project_id }]);
  const parent = await callersOf(() => kernel, project_id).running("Agent");
  const tool_call_id = `${project_id}_fork`;
  const tasks = Array.from({ length: count }, () => toNew("Agent"));
  const args = {
    tasks,
    fail_fast: options.fail_fast,
    ...(options.max_parallel && { max_parallel: options.max_parallel }),
    ...(policy && { policy }),
  };
  const forked = await fork(kernel, { project_id, caller: { ...parent, tool_call_id }, tool: "fork_join", args });
  if (isFenced(forked)) throw new Error("the caller was fenced");
  await suspendTurn(kernel, { ...parent, tool_call_ids: [tool_call_id] });
  const world: World = {
    ...options,
    project_id,
    batch_id: forked.batch_id,
    tool_call_id,
    parent_id: parent.agent_turn_id,
  };
  return {
    project_id,
    about: options,
    initial: {
      status: "running",
      parent: "suspended",
      woken: 0,
      is_overdue: false,
      is_gate_due: false,
      arrivals: [],
      late: [],
      tasks: tasks.map((_, i) => (i < (options.max_parallel ?? count) ? "dispatched" : "pending")),
    },
    observe: () => observe(world),
    act: (state, dice) => actOf(world, state, dice),
    finish: () => finish(world),
  };
}

async function observe({ project_id, batch_id, tool_call_id, parent_id }: World): Promise<Batch> {
  const { rows } = await kernel.test.pool.query<Batch>(
    `SELECT b.status, t.status AS parent, b.deadline_at <= now() AS is_overdue,
      coalesce(b.gate_at <= now(), false) AS is_gate_due, b.arrivals, b.late,
      (SELECT count(*)::int FROM cards c WHERE c.tenant_id = $1 AND c.tool_call_id = $3 AND c.metadata ->> 'type' = 'tool.result') AS woken,
      (SELECT jsonb_agg(k.status ORDER BY k.task_index) FROM state.pmo_batch_tasks k WHERE k.project_id = $1 AND k.batch_id = $2) AS tasks
     FROM state.pmo_batches b JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = $4
     WHERE b.project_id = $1 AND b.batch_id = $2`,
    [project_id, batch_id, tool_call_id, parent_id],
  );
  const [row] = rows;
  if (!row) throw new Error("the batch is gone");
  return row;
}

function actOf(world: World, state: Batch, [which = 0, a = 0, b = 0, c = 0, d = 0]: number[]): Act<Batch> {
  const all = [...state.tasks.keys()];
  const running = all.filter((i) => state.tasks[i] === "dispatched");
  const among = running.length > 0 && d < 0.8 ? running : all;
  const task = among[Math.floor(a * among.length)] ?? 0;
  const outcome = (["success", "success", "partial", "failed"] as const)[Math.floor(b * 4)] ?? "success";
  const isLost = c < 0.5;
  const acts = [
    ...Array.from({ length: 6 }, () => () => endBranch(world, task, outcome, isLost)),
    () => stopBranch(world, task, isLost),
    () => settle(world),
    () => settle(world),
    () => sweep(world),
    // The rarer ones end everything, so they run only sometimes.
    () => (c < 0.15 ? passDeadline(world) : settle(world)),
    () => (c < 0.3 && world.policy?.timeout_ms !== undefined ? passGate(world) : sweep(world)),
    () => (c < 0.15 ? cancel(world) : settle(world)),
    () => (c < 0.15 ? stopParent(world) : sweep(world)),
  ];
  const act = acts[Math.floor(which * acts.length)];
  if (!act) throw new Error("there is nothing to do");
  return act();
}

/** A sweep ends it, once all its running branches have ended. */
async function finish(world: World): Promise<void> {
  for (let round = 0; (await observe(world)).status === "running"; round++) {
    if (round > 8) throw new Error(`the batch does not end: ${JSON.stringify(await observe(world))}`);
    for (const i of (await observe(world)).tasks.keys())
      await endBranch(world, i, "success", true).perform(kernel, "w");
    await sweepBatches(kernel);
  }
  const { parent, woken } = await observe(world);
  expect(woken).toBe(parent === "suspended" ? 1 : woken);
}

// --- what the model knows ---

const isOpen = (status: string) => status === "pending" || status === "dispatched";

function endedAs(state: Batch, status: Ended, rest: Ended, late: number[] = []): Batch {
  const tasks = state.tasks.map((task, i) =>
    isOpen(task) && !(task === "dispatched" && late.includes(i)) ? rest : task,
  );
  return { ...state, status, tasks, late, woken: state.woken + (state.parent === "suspended" ? 1 : 0) };
}

function aggregate(tasks: Batch["tasks"]): Ended {
  if (tasks.every((task) => task === "success")) return "success";
  for (const [word, status] of [
    ["success", "partial"],
    ["failed", "failed"],
    ["timeout", "timeout"],
    ["partial", "partial"],
  ] as const)
    if (tasks.includes(word)) return status;
  return "failed";
}

const settled =
  (world: World, says: boolean): Step<Batch> =>
  (before) => {
    const { fail_fast, policy } = world;
    const said = (next: Batch): Possible<Batch>[] => [{ state: next, ...(says && { said: next.status }) }];
    if (before.status !== "running") return [{ state: before, ...(says && { said: "null" }) }];
    // The order in which new ones are counted follows the clock of the database, which the model does not have.
    if (policy) return ordersOf(before).flatMap((arrivals) => said(gated(policy, { ...before, arrivals })));
    const state = before;
    const open = state.tasks.some(isOpen);
    if (open && state.is_overdue) return said(endedAs(state, "timeout", "timeout"));
    if (fail_fast && state.tasks.some((task) => ["failed", "canceled", "timeout"].includes(task)))
      return said(endedAs(state, "failed", "canceled"));
    return said(open ? state : endedAs(state, aggregate(state.tasks), "canceled"));
  };

function ordersOf({ tasks, arrivals }: Batch): number[][] {
  const fresh = [...tasks.keys()].filter((i) => !isOpen(tasks[i] ?? "pending") && !arrivals.includes(i));
  const orders = (left: number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => orders(left.filter((i) => i !== one)).map((rest) => [one, ...rest]));
  return orders(fresh).map((order) => [...arrivals, ...order]);
}

/** What its policy makes of a batch whose arrivals are counted. Written from the rules, and not from the code that it checks. */
function gated(policy: JoinPolicy, state: Batch): Batch {
  const { tasks, arrivals } = state;
  const needed = policy.kind === "any" ? 1 : (policy.k ?? 0);
  const counts = (i: number) => policy.count === "ended" || tasks[i] === "success" || tasks[i] === "partial";
  const counted = arrivals.filter(counts);
  const open = tasks.filter(isOpen).length;
  const running = policy.late === "run" ? [...tasks.keys()].filter((i) => tasks[i] === "dispatched") : [];
  const close = (status: Ended, rest: Ended, beside: number[] = []) =>
    endedAs(
      state,
      status,
      rest,
      [...running, ...beside].toSorted((a, b) => a - b),
    );
  const last = counted[needed - 1];
  if (last !== undefined) return close("success", "canceled", arrivals.slice(arrivals.indexOf(last) + 1));
  if (counted.length + open < needed) return close("failed", "canceled");
  if (state.is_overdue && open > 0) return endedAs(state, "timeout", "timeout");
  if (!state.is_gate_due || open === 0) return state;
  if (policy.on_timeout === "fail") return close("failed", "timeout");
  return close(arrivals.length > 0 ? "partial" : "timeout", "timeout");
}

const dispatched =
  ({ max_parallel }: World): Step<Batch> =>
  (state) => {
    if (state.status !== "running") return [{ state }];
    let free = (max_parallel ?? state.tasks.length) - state.tasks.filter((task) => task === "dispatched").length;
    const tasks = state.tasks.map((task) => (task === "pending" && free-- > 0 ? ("dispatched" as const) : task));
    return [{ state: { ...state, tasks } }];
  };

/** Not certain to happen: another process looked first and saw no need. */
const perhaps =
  (step: Step<Batch>): Step<Batch> =>
  (state) => [{ state: structuredClone(state) }, ...step(state)];

const followUps = (world: World, isLost: boolean): Step<Batch>[] =>
  isLost ? [] : [perhaps(settled(world, false)), perhaps(dispatched(world))];

// --- what a process does ---

/** Its follow-ups die with it. */
const losing = (kernel: Kernel, isLost: boolean): Kernel =>
  isLost
    ? {
        ...kernel,
        onTurnsEnded: {
          beforeEnd: undefined,
          afterEnd: (unit, ended) => onTurnsEnded.afterEnd({ ...unit, after: () => undefined }, ended),
        },
      }
    : kernel;

type Turn = { agent_turn_id: string; turn_epoch: number };

async function branchOf({ project_id, batch_id }: World, task: number): Promise<Turn | null> {
  const { rows } = await kernel.test.pool.query<Turn>(
    `SELECT t.agent_turn_id, t.turn_epoch FROM state.pmo_batch_tasks k
     JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
     WHERE k.project_id = $1 AND k.batch_id = $2 AND k.task_index = $3`,
    [project_id, batch_id, task],
  );
  return rows[0] ?? null;
}

function branchStep(task: number, status: Ended): Step<Batch> {
  return (state) => {
    if (state.tasks[task] !== "dispatched") return [{ state, said: "no" }];
    return [{ state: { ...state, tasks: state.tasks.with(task, status) }, said: "ended" }];
  };
}

/** It may be dispatched during the search: then it was not found. */
const orNotThere =
  (task: number, step: Step<Batch>): Step<Batch> =>
  (state) => [...step(structuredClone(state)), ...(state.tasks[task] === "dispatched" ? [{ state, said: "no" }] : [])];

function endBranch(world: World, task: number, status: "success" | "partial" | "failed", isLost: boolean): Act<Batch> {
  return {
    name: `end ${task} ${status}${isLost ? ", and die" : ""}`,
    steps: [
      (state) =>
        state.tasks[task] === "pending" ? [{ state, said: "no" }] : orNotThere(task, branchStep(task, status))(state),
      ...followUps(world, isLost),
    ],
    perform: async (kernel, worker_id) => {
      const turn = await branchOf(world, task);
      if (!turn) return "no";
      const key = { project_id: world.project_id, ...turn, worker_id };
      await startTurn(kernel, key);
      const content = status === "failed" ? null : { kind: "text" as const, text: "done" };
      return isFenced(await deliverTurn(losing(kernel, isLost), { ...key, status, content })) ? "no" : "ended";
    },
  };
}

function stopBranch(world: World, task: number, isLost: boolean): Act<Batch> {
  return {
    name: `stop ${task}${isLost ? ", and die" : ""}`,
    steps: [
      (state) =>
        state.tasks[task] === "pending"
          ? [{ state, said: "no" }]
          : orNotThere(task, branchStep(task, "canceled"))(state),
      ...followUps(world, isLost),
    ],
    perform: async (kernel) => {
      const turn = await branchOf(world, task);
      if (!turn) return "no";
      const { project_id } = world;
      const input = { project_id, agent_turn_id: turn.agent_turn_id, scope: "turn" as const, by: "ann" };
      return (await stopTurn(losing(kernel, isLost), input)).stopped.length > 0 ? "ended" : "no";
    },
  };
}

function settle(world: World): Act<Batch> {
  return {
    name: "settle",
    steps: [settled(world, true), perhaps(dispatched(world))],
    perform: async (kernel) => `${await settleBatch(kernel, world)}`,
  };
}

function sweep(world: World): Act<Batch> {
  return {
    name: "sweep",
    steps: [perhaps(settled(world, false)), perhaps(dispatched(world))],
    perform: async (kernel) => {
      await sweepBatches(kernel);
      return "";
    },
  };
}

function passDeadline({ project_id, batch_id }: World): Act<Batch> {
  return {
    name: "deadline",
    steps: [(state) => [{ state: { ...state, is_overdue: true } }]],
    perform: async (kernel) => {
      await kernel.db.pool.query(
        "UPDATE state.pmo_batches SET deadline_at = now() - interval '1 hour' WHERE project_id = $1 AND batch_id = $2",
        [project_id, batch_id],
      );
      return "";
    },
  };
}

function passGate({ project_id, batch_id }: World): Act<Batch> {
  return {
    name: "gate's time",
    steps: [(state) => [{ state: { ...state, is_gate_due: true } }]],
    perform: async (kernel) => {
      await kernel.db.pool.query(
        "UPDATE state.pmo_batches SET gate_at = now() - interval '1 hour' WHERE project_id = $1 AND batch_id = $2",
        [project_id, batch_id],
      );
      return "";
    },
  };
}

function cancel(world: World): Act<Batch> {
  return {
    name: "cancel",
    steps: [
      (state) =>
        state.status === "running"
          ? [{ state: endedAs(state, "canceled", "canceled"), said: "true" }]
          : [{ state, said: "false" }],
    ],
    perform: async (kernel) => `${await cancelBatch(kernel, { ...world, by: "ann" })}`,
  };
}

function stopParent(world: World): Act<Batch> {
  const { project_id, parent_id } = world;
  return {
    name: "stop the parent",
    steps: [
      (state) => {
        if (state.parent === "canceled") return [{ state, said: "0" }];
        const next: Batch = { ...state, parent: "canceled" };
        return [{ state: next.status === "running" ? endedAs(next, "canceled", "canceled") : next, said: "1" }];
      },
    ],
    perform: async (kernel) => {
      const { stopped } = await stopTurn(kernel, { project_id, agent_turn_id: parent_id, scope: "turn", by: "ann" });
      return `${stopped.length}`;
    },
  };
}
