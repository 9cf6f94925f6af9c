// A worker process that is killed while its model is talking: what is committed stays, the uncommitted text is lost, and the
// turn continues once, with a new request.
import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEnv } from "@/server/env";
import { createKernel, type Kernel } from "@/server/kernel/kernel";
import { takeOver } from "@/server/kernel/reclaim/take-over";
import { tunables } from "@/server/kernel/tunables";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { isFenced } from "@/server/kernel/turns/fenced";
import { checkInvariants } from "@/server/testing/invariants";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { stepsOf, typesOf } from "@/server/testing/steps";
import { deliverableOf, framesOf, launchTurn, outputOf, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { WireReply } from "@/server/testing/wire/reply";
import { startWireServer, type WireServer } from "@/server/testing/wire/wire-server";
import { spawnWorker } from "@/server/testing/worker-process";
import { modelsOf } from "./models/models";

const KEY = "sk-killed-0123456789";

let kernel: TestKernel;
/** The same database, seen by a watchdog with short time limits. */
let hasty: Kernel;
let wire: WireServer;
const children: ChildProcess[] = [];

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  hasty = createKernel({ ...kernel, tunables: { ...kernel.tunables, leaseMs: 200 } });
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await wire.close();
  await kernel.close();
});

/** With the test's own provider. */
function spawnDoomed(): ChildProcess {
  const child = spawnWorker({
    DATABASE_URL: kernel.test.url,
    SWITCHYARD_WORKER_TARGETS: "doomed",
    SWITCHYARD_LOG: "warn",
    MOONSHOT_API_KEY: KEY,
    MOONSHOT_BASE_URL: wire.url,
  });
  children.push(child);
  return child;
}

const story = "It was a dark and stormy night, and the yard was full of wagons that nobody had asked for. ".repeat(3);
const note: WireReply = { text: "First.", calls: [{ name: "think", arguments: { thought: "what came before" } }] };

test("killed in the middle of a stream: no card is lost or doubled, and the next attempt asks the same again", async () => {
  // The second question is answered slowly while the first worker lives, and at once after it.
  let isDoomed = true;
  wire = await startWireServer({
    provider: "openai-compatible",
    replies: (_request, n) => (n === 0 ? note : isDoomed ? { text: story, gapMs: 200 } : { text: "The end." }),
  });
  await seedProject(kernel, "killed", [
    { name: "Teller", worker_target: "doomed", llm_config: { model: "moonshot/kimi-k2.5", stream: true } },
  ]);
  const dying = spawnDoomed();
  const { agent_turn_id, agent_id } = await launchTurn(kernel, "killed", { target: "Teller" });
  const before = await untilTurn(kernel, "killed", agent_turn_id, (turn) => turn.step_count === 2, 30_000);
  await expect.poll(() => wire.requests.length, { timeout: 10_000 }).toBe(2);
  // Pieces are on their way.
  await new Promise((done) => setTimeout(done, 700));
  expect(wire.hangUps).toBe(0);
  const committed = await outputOf(kernel, before);
  expect(typesOf(committed)).toEqual(["agent.thought", "tool.call", "tool.result"]);

  const exited = new Promise((done) => dying.once("exit", done));
  dying.kill("SIGKILL");
  await exited;
  isDoomed = false;
  await expect.poll(() => wire.hangUps, { timeout: 5_000 }).toBe(1);
  // Two watchdogs at once, twice: only one of them takes it over, once.
  const acted: number[] = [];
  await expect
    .poll(
      async () => {
        acted.push(...(await Promise.all([takeOver(hasty), takeOver(hasty), takeOver(hasty)])));
        return acted.reduce((sum, n) => sum + n, 0);
      },
      { timeout: 5_000, interval: 50 },
    )
    .toBe(1);
  const late = { project_id: "killed", agent_turn_id, turn_epoch: before.turn_epoch };
  const card = { type: "agent.thought", content: story, author_id: agent_id };
  expect(isFenced(await appendOutput(kernel, { ...late, cards: [card] }))).toBe(true);

  const settings = parseEnv({ MOONSHOT_API_KEY: KEY, MOONSHOT_BASE_URL: wire.url });
  const models = modelsOf(() => settings);
  const workers = await Promise.all(
    ["a", "b"].map((worker_id) => startTestWorker(kernel, { worker_id, targets: ["doomed"], models })),
  );
  const turn = await untilTurn(kernel, "killed", agent_turn_id);
  for (const worker of workers) await worker.stop();

  expect(turn).toMatchObject({ status: "success", turn_epoch: 2, attempt: 2 });
  expect(await deliverableOf(kernel, turn)).toBe("The end.");
  const cards = await outputOf(kernel, turn);
  expect(cards.slice(0, committed.length)).toEqual(committed);
  expect(typesOf(cards)).toEqual(["agent.thought", "tool.call", "tool.result", "task.deliverable"]);
  // Asked three times in all: the dying worker's second question was asked once more, byte for byte.
  expect(wire.requests).toHaveLength(3);
  expect(wire.requests[2]?.bytes.equals(wire.requests[1]?.bytes ?? Buffer.of())).toBe(true);
  const steps = await stepsOf(kernel, turn);
  expect(steps.map((step) => step.status)).toEqual(["completed", "failed", "completed"]);
  expect(steps.map((step, n) => step.request_bytes.equals(wire.requests[n]?.bytes ?? Buffer.of()))).toEqual([
    true,
    true,
    true,
  ]);
  expect((await framesOf(kernel, "killed", "task")).filter((frame) => frame.id === agent_turn_id)).toHaveLength(1);
  const { rows } = await kernel.db.pool.query("SELECT 1 FROM cards c WHERE c::text LIKE '%stormy%'");
  expect(rows).toEqual([]);
  expect((await checkInvariants(kernel.db.pool)).violations).toEqual([]);
}, 90_000);
