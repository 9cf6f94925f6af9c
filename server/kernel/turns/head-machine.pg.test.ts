// The head of one agent as a machine: everything that may happen to it, by three processes at once, against a model.
import { afterAll, beforeAll, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import {
  append,
  callTool,
  claim,
  deliver,
  enqueue,
  handOn,
  idOf,
  reap,
  report,
  resume,
  start,
  stop,
  suspend,
  type World,
} from "@/server/testing/head-acts";
import { byName, type Head, pick, type Turn, type Wait } from "@/server/testing/head-model";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Act, checkMachine, type Machine, modelTest, modelTestMs } from "@/server/testing/machine";
import { tunables } from "../tunables";

let kernel: TestKernel;
beforeAll(async () => {
  // Nobody is silent but whom the test silences; a message that was put off is due at once.
  kernel = await openTestKernel({ tunables: { ...tunables, leaseMs: 3_600_000, deferMs: 0, attemptsMax: 3 } });
});
afterAll(() => kernel.close());

test(
  "head: whatever three processes do to an agent at once, some sequential order explains the result",
  async () => {
    await checkMachine(kernel, openHead, modelTest(6, 60));
  },
  modelTestMs,
);

async function openHead(project_id: string): Promise<Machine<Head>> {
  await seedProject(kernel, project_id, [
    { name: "Boss", worker_target: "bosses" },
    { name: "Agent", worker_target: project_id },
  ]);
  const { running, launched, run } = callersOf(() => kernel, project_id);
  const bosses = [await running("Boss"), await running("Boss"), await running("Boss")];
  const first = await launched("Agent");
  const begun = await run(first.agent_id, first.agent_turn_id, 1, "w0");
  const ids = new Map([["t0", first.agent_turn_id]]);
  const world: World = { project_id, agent_id: begun.agent_id, bosses, ids, rounds: 0 };
  return {
    project_id,
    initial: {
      status: "running",
      epoch: 1,
      active: "t0",
      holder: "w0",
      turns: { t0: { status: "running", epoch: 1, attempt: 1, cards: 0, row: "consumed" } },
      calls: {},
    },
    observe: () => observe(world),
    act: (state, dice, isAlone) => actOf(world, state, dice, isAlone),
  };
}

async function observe({ project_id, agent_id, ids }: World): Promise<Head> {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const { rows } = await kernel.test.pool.query<{
    head: Omit<Head, "turns" | "calls">;
    turns: (Turn & { id: string })[] | null;
    calls: (Wait & { id: string })[] | null;
  }>(
    `SELECT jsonb_build_object('status', h.status, 'epoch', h.turn_epoch, 'active', h.active_agent_turn_id, 'holder', h.lease_holder) AS head,
      (SELECT jsonb_agg(jsonb_build_object('id', t.agent_turn_id, 'status', t.status, 'epoch', t.turn_epoch, 'attempt', t.attempt, 'cards', t.output_cards,
        'row', (SELECT i.status FROM state.agent_inbox i WHERE i.project_id = t.project_id AND i.agent_turn_id = t.agent_turn_id
          AND i.message_type = 'turn' ORDER BY i.turn_epoch DESC LIMIT 1))) FROM state.agent_turns t
        WHERE t.project_id = $1 AND t.agent_id = $2) AS turns,
      (SELECT jsonb_agg(jsonb_build_object('id', w.tool_call_id, 'turn', w.agent_turn_id, 'status', w.wait_status, 'row', coalesce((SELECT i.status
        FROM state.agent_inbox i WHERE i.project_id = w.project_id AND i.correlation_id = w.tool_call_id AND i.status <> 'skipped'), 'none')))
        FROM state.turn_waiting_tools w WHERE w.project_id = $1) AS calls
     FROM state.agent_state_head h WHERE h.project_id = $1 AND h.agent_id = $2`,
    [project_id, agent_id],
  );
  const [row] = rows;
  if (!row) throw new Error("the head is gone");
  const name = (id: string): string => names.get(id) ?? `unknown ${id}`;
  const turns = (row.turns ?? []).map(({ id, ...turn }) => [name(id), turn] as const).sort(byName);
  const calls = (row.calls ?? [])
    .map(({ id, ...wait }) => [name(id), { ...wait, turn: name(wait.turn) }] as const)
    .sort(byName);
  const { active } = row.head;
  return {
    ...row.head,
    active: active === null ? null : name(active),
    turns: Object.fromEntries(turns),
    calls: Object.fromEntries(calls),
  };
}

function actOf(
  world: World,
  state: Head,
  [which = 0, a = 0, b = 0, c = 0, d = 0]: number[],
  isAlone: boolean,
): Act<Head> {
  const n = ++world.rounds;
  const live = state.active ?? "t0";
  // Mostly the epoch of now; sometimes one of before, as a worker has that was away.
  const epoch = a < 0.8 ? state.epoch : Math.max(1, state.epoch - 1);
  const key = { project_id: world.project_id, agent_turn_id: idOf(world, live), turn_epoch: epoch };
  const isOpen = ([, wait]: [string, Wait]) => wait.status === "waiting" || wait.status === "received";
  const open = Object.entries(state.calls).filter(isOpen);
  const calls = (open.length > 0 && a < 0.9 ? open : Object.entries(state.calls)).map(([name]) => name);
  const call = calls[Math.floor(b * calls.length)];
  const isLive = (s: Head, status: string) => s.active === live && s.epoch === epoch && s.status === status;
  const named = `${String(n).padStart(4, "0")}`;
  const hasRow = call !== undefined && state.calls[call]?.row !== "none";
  const all = {
    enqueue: () => enqueue(world, `q${named}`, c),
    claim: () => claim(world, isAlone),
    start: () => start(key, live, isLive),
    append: () => append(key, live, isLive),
    call: () => callTool(world, key, live, isLive, `c${named}`),
    suspend: () => suspend(key, live, isLive),
    deliver: () => deliver(key, live, isLive),
    report: () => (call === undefined ? claim(world, isAlone) : report(world, call)),
    resume: () => (call === undefined || !hasRow ? append(key, live, isLive) : resume(world, state, call)),
    stop: () => stop(world, pick(Object.keys(state.turns), b)),
    reap: () => reap(world),
    letGo: () => handOn(key, live, isLive),
  };
  // Mostly what leads on; the rest is there to come in between.
  const leadOn: Record<string, (keyof typeof all)[]> = {
    idle: ["enqueue"],
    dispatched: ["claim", "start", "start"],
    running: ["append", "call", "call", "suspend", "suspend", "report", "deliver"],
    suspended: ["report", "report", "claim", "resume", "resume", "resume"],
  };
  const names = d < 0.6 ? (leadOn[state.status] ?? []) : (Object.keys(all) as (keyof typeof all)[]);
  return all[pick(names, which)]();
}
