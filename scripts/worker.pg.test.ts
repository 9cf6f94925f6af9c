// The worker as it is deployed: a real process, and the real one over it that starts it again and stops it.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isAlive } from "@/server/embedded/postmaster";
import { log } from "@/server/log";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Relay, startRelay } from "@/server/testing/relay";
import { launchTurn, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import { workerPart } from "./parts";
import { type Supervised, supervise } from "./supervise";

let kernel: TestKernel;
let relay: Relay;
/** A start on a machine whose two cores have ten other things to do. */
const startMs = 60_000;
const started: ChildProcess[] = [];
const supervised: Supervised[] = [];

beforeAll(async () => {
  kernel = await openTestKernel();
  relay = await startRelay({ port: Number(new URL(kernel.test.url).port) });
});
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await Promise.all(supervised.map((one) => one.stop()));
  await relay.close();
  await kernel.close();
});

const settings = (target: string, url = kernel.test.url) => ({
  ...process.env,
  DATABASE_URL: url,
  SWITCHYARD_WORKER_TARGETS: target,
  SWITCHYARD_LOG: "warn",
});

/** `npm run worker` without npm. */
function startDeployed(env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/worker.ts"], {
    cwd: path.resolve(import.meta.dirname, ".."),
    env,
    stdio: ["ignore", "inherit", "pipe"],
  });
  started.push(child);
  return child;
}

const codeOf = (child: ChildProcess) => new Promise<number | null>((done) => child.once("exit", done));

/** Processes that have signed in for the target, the newest last; their ids hold their pids. */
async function workersOf(target: string): Promise<number[]> {
  const { rows } = await kernel.db.pool.query<{ pid: string }>(
    "SELECT split_part(reverse(split_part(reverse(worker_id), '-', 2)), '-', 1) AS pid FROM state.workers WHERE targets = $1 ORDER BY seen_at",
    [[target]],
  );
  return rows.map(({ pid }) => Number(pid));
}

async function firstOf(target: string): Promise<number> {
  await expect.poll(() => workersOf(target), { timeout: startMs }).toHaveLength(1);
  return (await workersOf(target))[0] ?? 0;
}

async function runsOneTurn(project_id: string, target: string): Promise<void> {
  await seedProject(kernel, project_id, [scripted("Solo", [{ deliver: "end" }], { worker_target: target })]);
  const { agent_turn_id } = await launchTurn(kernel, project_id, { target: "Solo" });
  await expect(untilTurn(kernel, project_id, agent_turn_id, "ended", 25_000)).resolves.toMatchObject({
    status: "success",
    attempt: 1,
  });
}

test.concurrent("a worker that is killed is replaced, and one that is asked to stop loses no attempt", async () => {
  const steps = Array.from({ length: 40 }, (_, i) => ({ think: `${i}`, wait_ms: 250 }));
  await seedProject(kernel, "asked", [
    scripted("Long", [...steps, { deliver: "end" }], { worker_target: "asked", max_steps: 60 }),
  ]);
  const above = startDeployed(settings("asked"));
  const killed = await firstOf("asked");
  process.kill(killed, "SIGKILL");
  await expect.poll(() => workersOf("asked"), { timeout: startMs }).toHaveLength(2);
  const [, second = 0] = await workersOf("asked");
  const { agent_turn_id } = await launchTurn(kernel, "asked", { target: "Long" });
  await untilTurn(kernel, "asked", agent_turn_id, (turn) => turn.step_count >= 2);
  const ended = codeOf(above);
  above.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(isAlive(second)).toBe(false);
  // Signed out, and the turn handed on where its step ended.
  expect(await workersOf("asked")).toEqual([killed]);
  expect(await turnOf(kernel, "asked", agent_turn_id)).toMatchObject({ lease_holder: null, ended_at: null });
  const heir = await startTestWorker(kernel, { worker_id: "heir", targets: ["asked"] });
  const next = await untilTurn(kernel, "asked", agent_turn_id, (turn) => turn.lease_holder === "heir");
  expect(next).toMatchObject({ status: "running", attempt: 1, handovers: 1 });
  await heir.stop();
}, 180_000);

test.concurrent("a worker that is stopped in its tracks is replaced by one that works", async () => {
  // While it loads its modules on a busy machine it may be silent for seconds; less patience would end it before it works.
  const patience = { silentMs: 10_000, lookMsMax: 60_000 };
  supervised.push(supervise({ ...workerPart(), env: settings("stopped"), patience }));
  const first = await firstOf("stopped");
  process.kill(first, "SIGSTOP");
  await expect.poll(() => workersOf("stopped"), { timeout: startMs + 20_000 }).toHaveLength(2);
  expect(isAlive(first)).toBe(false);
  await runsOneTurn("stopped", "stopped");
}, 180_000);

test.concurrent("a worker whose calls never come back ends with 75, and its successor works when the line is back", async () => {
  const told: unknown[] = [];
  const spy = vi.spyOn(log(), "warn").mockImplementation((facts: unknown) => void told.push(facts));
  const part = workerPart(["--import", "tsx", "--import", "./server/testing/without-limits.ts"]);
  supervised.push(supervise({ ...part, name: "silent", env: settings("silent", relay.through(kernel.test.url)) }));
  const first = await firstOf("silent");
  relay.freeze("all");
  const exit = { child: "silent", child_pid: first, how: expect.stringMatching(/^exit 75: .*database/) };
  await expect.poll(() => told, { timeout: 60_000 }).toContainEqual(expect.objectContaining(exit));
  spy.mockRestore();
  relay.thaw();
  await runsOneTurn("silent", "silent");
}, 180_000);

test("a setting that cannot be is told at once, and nothing is started", async () => {
  const above = startDeployed({ ...settings("bad"), SWITCHYARD_DRAIN_S: "soon" });
  let said = "";
  above.stderr?.on("data", (piece) => {
    said += piece;
  });
  expect(await codeOf(above)).toBe(1);
  expect(said).toMatch(/^Switchyard cannot start with this environment:\n {2}SWITCHYARD_DRAIN_S=soon: write/m);
  expect(said).not.toMatch(/\n\s+at /);
}, 30_000);
