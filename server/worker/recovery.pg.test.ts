// Real processes that die, freeze, or lose their database in the middle of a turn.
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KernelError } from "@/server/contract/errors";
import { startEmbedded } from "@/server/embedded/start";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { takeOver } from "@/server/kernel/reclaim/take-over";
import { tunables } from "@/server/kernel/tunables";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { isFenced } from "@/server/kernel/turns/fenced";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { migrate } from "@/server/migrate";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import {
  deliverableOf,
  framesOf,
  launchTurn,
  outputOf,
  scripted,
  startTestWorker,
  turnOf,
  untilTurn,
} from "@/server/testing/turns";
import { spawnWorker } from "@/server/testing/worker-process";
import { wireKernel } from "@/server/wire";

let kernel: TestKernel;
/** The same database, seen by a watchdog with short time limits. */
let hasty: Kernel;
const children: ChildProcess[] = [];

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  hasty = createKernel({ ...kernel, tunables: { ...kernel.tunables, leaseMs: 200 } });
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await kernel.close();
});

function spawnFor(url: string, targets: string): ChildProcess {
  const child = spawnWorker({ DATABASE_URL: url, SWITCHYARD_WORKER_TARGETS: targets, SWITCHYARD_LOG: "warn" });
  children.push(child);
  return child;
}

const ended = (child: ChildProcess) => new Promise((done) => child.once("exit", done));

/** Takes over whatever has been silent for 200 ms, as the watchdog of any worker does after a minute. */
async function takeOverSilent(): Promise<void> {
  await expect.poll(() => takeOver(hasty), { timeout: 5_000, interval: 50 }).toBeGreaterThan(0);
}

async function childrenOf(turn: TurnRow): Promise<string[]> {
  const { rows } = await kernel.db.pool.query<{ agent_turn_id: string }>(
    "SELECT agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2",
    [turn.project_id, turn.agent_turn_id],
  );
  return rows.map((row) => row.agent_turn_id);
}

const parent = (target: string) =>
  scripted(
    "Parent",
    [
      { think: "before" },
      { call: "delegate_async", arguments: { target_strategy: "new", target_ref: "Child", instruction: "go" } },
      { deliver: "after {result.1.agent_turn_id}", wait_ms: 2_000 },
    ],
    { worker_target: target, allowed_tools: ["delegate_async"] },
  );
const child = scripted("Child", [{ deliver: "x" }], { worker_target: "nobody" });

test("a worker killed during a turn: another one continues under a new epoch, and nothing is doubled", async () => {
  await seedProject(kernel, "killed", [parent("killed"), child]);
  const dying = spawnFor(kernel.test.url, "killed");
  const { agent_turn_id } = await launchTurn(kernel, "killed", { target: "Parent" });
  const before = await untilTurn(kernel, "killed", agent_turn_id, (turn) => turn.step_count === 3, 30_000);
  dying.kill("SIGKILL");
  await ended(dying);
  await takeOverSilent();

  const late = { project_id: "killed", agent_turn_id, turn_epoch: before.turn_epoch };
  const card = { type: "agent.thought", content: "from the dead", author_id: before.agent_id };
  expect(isFenced(await appendOutput(kernel, { ...late, cards: [card] }))).toBe(true);
  expect(await framesOf(kernel, "killed", "rejected_late")).toMatchObject([{ turn_epoch: 1, current_epoch: 2 }]);

  const second = await startTestWorker(kernel, { worker_id: "second", targets: ["killed"] });
  const turn = await untilTurn(kernel, "killed", agent_turn_id);
  await second.stop();
  expect(turn).toMatchObject({ status: "success", turn_epoch: 2, attempt: 2 });
  const cards = await outputOf(kernel, turn);
  expect(cards.map((c) => c.type)).toEqual([
    "agent.thought",
    "agent.thought",
    "tool.call",
    "tool.result",
    "task.deliverable",
  ]);
  const [only, ...others] = await childrenOf(turn);
  expect(others).toEqual([]);
  expect(await deliverableOf(kernel, turn)).toBe(`after ${only}`);
  const { rows: steps } = await kernel.db.pool.query<{ status: string }>(
    "SELECT status FROM state.agent_steps WHERE agent_turn_id = $1 ORDER BY started_at",
    [agent_turn_id],
  );
  expect(steps.map((step) => step.status)).toEqual(["completed", "completed", "failed", "completed"]);
  expect((await framesOf(kernel, "killed", "task")).filter((f) => f.id === agent_turn_id)).toHaveLength(1);
}, 60_000);

test("a worker killed between a delegation and its result: the delegation is not made again", async () => {
  await seedProject(kernel, "between", [parent("between"), child]);
  // As far as the database can see, it dies after the delegation is committed and before its result is written.
  const frozen = createKernel({
    ...kernel,
    tunables: { ...kernel.tunables, beatMs: 60_000 },
    probe: async (point) => {
      if (point !== "after-commit") return;
      const { rows } = await kernel.db.pool.query(
        "SELECT 1 FROM state.agent_turns WHERE project_id = 'between' AND depth = 2",
      );
      if (rows.length > 0) await new Promise(() => undefined);
    },
  });
  // One turn at a time: frozen, it must not claim what is taken from it.
  await startTestWorker(frozen, { worker_id: "first", targets: ["between"], concurrency: 1, graceMs: 0 });
  const { agent_turn_id } = await launchTurn(kernel, "between", { target: "Parent" });
  await untilTurn(kernel, "between", agent_turn_id, async (turn) => (await childrenOf(turn)).length === 1);
  await takeOverSilent();
  const second = await startTestWorker(kernel, { worker_id: "second", targets: ["between"] });
  const turn = await untilTurn(kernel, "between", agent_turn_id);
  await second.stop();
  expect(turn).toMatchObject({ status: "success", turn_epoch: 2 });
  const [only, ...others] = await childrenOf(turn);
  expect(others).toEqual([]);
  expect(await deliverableOf(kernel, turn)).toBe(`after ${only}`);
}, 60_000);

test("a frozen worker that wakes up: its write comes late and is refused", async () => {
  await seedProject(kernel, "frozen", [parent("frozen"), child]);
  const sleeper = spawnFor(kernel.test.url, "frozen");
  const { agent_turn_id } = await launchTurn(kernel, "frozen", { target: "Parent" });
  await untilTurn(kernel, "frozen", agent_turn_id, (turn) => turn.step_count === 3, 30_000);
  sleeper.kill("SIGSTOP");
  await takeOverSilent();
  const second = await startTestWorker(kernel, { worker_id: "second", targets: ["frozen"] });
  const turn = await untilTurn(kernel, "frozen", agent_turn_id);
  await second.stop();
  const before = await outputOf(kernel, turn);
  sleeper.kill("SIGCONT");
  await expect.poll(() => framesOf(kernel, "frozen", "rejected_late"), { timeout: 10_000 }).toHaveLength(1);
  expect(await outputOf(kernel, turn)).toEqual(before);
  sleeper.kill("SIGTERM");
  expect(await ended(sleeper)).toBe(0);
}, 60_000);

test("the database killed during a turn and restarted: the run continues, in the same epoch", async () => {
  const dataDir = makeScratch();
  const first = await startEmbedded({ dataDir });
  try {
    await migrate(first.url);
    const wired = wireKernel({
      url: first.url,
      name: "switchyard-recovery",
      tunables: { ...tunables, pollMs: 100, beatMs: 300 },
    });
    await seedProject(wired, "away", [
      scripted("Solo", [
        { think: "a" },
        { think: "b", wait_ms: 1_500 },
        { call: "think", arguments: { thought: "c" } },
        { deliver: "d" },
      ]),
      scripted("Other", [{ deliver: "after" }]),
    ]);
    const worker = await startTestWorker(wired);
    const { agent_turn_id } = await launchTurn(wired, "away", { target: "Solo" });
    await untilTurn(wired, "away", agent_turn_id, (turn) => turn.step_count === 2);
    process.kill(first.pid, "SIGKILL");
    // Longer than the step takes: its write finds nobody, and waits.
    await sleep(2_500);
    expect(worker.active()).toBe(1);
    await startEmbedded({ dataDir, port: first.port });
    const turn = await untilTurn(wired, "away", agent_turn_id, "ended", 40_000);
    expect(turn).toMatchObject({ status: "success", turn_epoch: 1, attempt: 1 });
    const types = (await outputOf(wired, turn)).map((card) => card.type);
    expect(types).toEqual([
      "agent.thought",
      "agent.thought",
      "agent.thought",
      "tool.call",
      "tool.result",
      "task.deliverable",
    ]);
    // And rings are sent as before.
    const next = await launchTurn(wired, "away", { target: "Other" });
    expect((await untilTurn(wired, "away", next.agent_turn_id)).status).toBe("success");
    await worker.stop();
    await wired.close();
  } finally {
    await removeScratch(dataDir);
  }
}, 120_000);

test("a turn whose connections are cut again and again still ends, with each card once", async () => {
  await seedProject(kernel, "cut", [
    scripted(
      "Solo",
      Array.from({ length: 12 }, (_, i) =>
        i === 11 ? { deliver: "end" } : { call: "think", arguments: { thought: `${i}` }, wait_ms: 20 },
      ),
      { worker_target: "cut", max_steps: 20 },
    ),
  ]);
  const wired = wireKernel({ url: kernel.test.url, name: "switchyard-cut", tunables: { ...tunables, pollMs: 100 } });
  const worker = await startTestWorker(wired, { worker_id: "cut", targets: ["cut"] });
  const { agent_turn_id } = await launchTurn(kernel, "cut", { target: "Solo" });
  // Not forever: on a busy machine a connection takes longer to open than to cut.
  const cutter = new pg.Client(kernel.test.url);
  await cutter.connect();
  for (let cuts = 0; cuts < 20; cuts++) {
    await sleep(20 + Math.random() * 200);
    await cutter.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchyard-cut'",
    );
  }
  await cutter.end();
  const turn = await untilTurn(kernel, "cut", agent_turn_id, "ended", 30_000);
  expect(turn).toMatchObject({ status: "success" });
  const cards = await outputOf(kernel, turn);
  expect(cards.filter((card) => card.type === "tool.result")).toHaveLength(11);
  expect(cards).toHaveLength(11 * 3 + 1);
  await worker.stop();
  await wired.close();
}, 60_000);

test("a turn that never gets confirmations of its writes writes everything once", async () => {
  await seedProject(kernel, "deaf", [parent("deaf"), child]);
  let commits = 0;
  const deaf = createKernel({
    ...kernel,
    probe: async (point) => {
      if (point !== "after-commit") return;
      const { rows } = await kernel.db.pool.query(
        "SELECT 1 FROM state.agent_turns WHERE project_id = 'deaf' AND depth = 1 AND status <> 'dispatched'",
      );
      if (rows.length > 0 && commits++ % 2 === 0) throw new KernelError("storage_error", "the answer was lost");
    },
  });
  const { agent_turn_id } = await launchTurn(kernel, "deaf", { target: "Parent" });
  const worker = await startTestWorker(deaf, { worker_id: "deaf", targets: ["deaf"] });
  const turn = await untilTurn(kernel, "deaf", agent_turn_id);
  await worker.stop();
  expect(turn).toMatchObject({ status: "success", turn_epoch: 1, output_cards: 5 });
  expect(commits).toBeGreaterThan(5);
  expect(await childrenOf(turn)).toHaveLength(1);
  expect((await outputOf(kernel, turn)).map((card) => card.type)).toEqual([
    "agent.thought",
    "agent.thought",
    "tool.call",
    "tool.result",
    "task.deliverable",
  ]);
}, 60_000);

test("five deployments within one long turn: it succeeds at its first attempt, and no step is done twice", async () => {
  const thoughts = Array.from({ length: 8 }, (_, n) => ({ think: `${n}`, wait_ms: 400 }));
  await seedProject(kernel, "deployed", [
    scripted("Long", [...thoughts, { deliver: "done" }], { worker_target: "deployed", max_steps: 20 }),
  ]);
  const { agent_turn_id } = await launchTurn(kernel, "deployed", { target: "Long" });
  for (let deployment = 1; deployment <= 5; deployment++) {
    const worker = spawnFor(kernel.test.url, "deployed");
    await untilTurn(kernel, "deployed", agent_turn_id, (turn) => turn.step_count === deployment, 30_000);
    worker.kill("SIGTERM");
    expect(await ended(worker)).toBe(0);
    expect(await turnOf(kernel, "deployed", agent_turn_id)).toMatchObject({
      status: "dispatched",
      attempt: 1,
      handovers: deployment,
    });
  }
  const last = await startTestWorker(kernel, { worker_id: "last", targets: ["deployed"] });
  const turn = await untilTurn(kernel, "deployed", agent_turn_id);
  await last.stop();
  expect(turn).toMatchObject({ status: "success", attempt: 1, handovers: 5, turn_epoch: 6, step_count: 9 });
  const { rows } = await kernel.db.pool.query(
    "SELECT DISTINCT status FROM state.agent_steps WHERE agent_turn_id = $1",
    [agent_turn_id],
  );
  expect(rows).toEqual([{ status: "completed" }]);
}, 90_000);
