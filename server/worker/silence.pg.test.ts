// Connections that freeze without an error, and a worker that hangs in the same way.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createKernel } from "@/server/kernel/kernel";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { type Relay, startRelay } from "@/server/testing/relay";
import { launchTurn, outputOf, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { wireKernel } from "@/server/wire";

const quick = { ...tunables, pollMs: 50, beatMs: 200, statementMs: 600, quickStatementMs: 300, outcomeMs: 1_000 };
let kernel: TestKernel;
let relay: Relay;

beforeAll(async () => {
  kernel = await openTestKernel();
  relay = await startRelay({ port: Number(new URL(kernel.test.url).port) });
});
afterAll(async () => {
  await relay.close();
  await kernel.close();
});

test("its connections freeze again and again: the worker continues, and writes everything once", async () => {
  const steps = Array.from({ length: 8 }, (_, i) =>
    i === 7 ? { deliver: "end" } : { call: "think", arguments: { thought: `${i}` }, wait_ms: 150 },
  );
  await seedProject(kernel, "frozen", [scripted("Solo", steps, { worker_target: "frozen", max_steps: 20 })]);
  const wired = wireKernel({
    url: relay.through(kernel.test.url),
    name: "switchyard-frozen",
    tunables: quick,
    doorbell: kernel.doorbell,
  });
  onTestFinished(() => wired.close());
  const silent: string[] = [];
  const worker = await startTestWorker(wired, {
    worker_id: "frozen",
    targets: ["frozen"],
    silence: { onSilent: (what) => void silent.push(what) },
  });
  const { agent_turn_id } = await launchTurn(kernel, "frozen", { target: "Solo" });
  for (let i = 0; i < 3; i++) {
    await untilTurn(kernel, "frozen", agent_turn_id, (turn) => turn.step_count > 2 * i, 20_000);
    relay.freeze("open");
    // Long enough to be detected; the locks of the dead connections are released when the network reports them as closed.
    await expect.poll(() => relay.open(), { timeout: 20_000 }).toBeGreaterThan(0);
    await new Promise((done) => setTimeout(done, 700));
    relay.thaw();
  }
  const turn = await untilTurn(kernel, "frozen", agent_turn_id, "ended", 40_000);
  await worker.stop();
  expect(turn).toMatchObject({ status: "success", attempt: 1, turn_epoch: 1 });
  const cards = await outputOf(kernel, turn);
  expect(cards.filter((card) => card.type === "tool.result")).toHaveLength(7);
  expect(cards.filter((card) => card.type === "task.deliverable")).toHaveLength(1);
  expect(silent).toEqual([]);
}, 90_000);

test("answers to commits are lost for a while: everything is written once, and nothing is refused", async () => {
  const steps = Array.from({ length: 6 }, (_, i) =>
    i === 5 ? { deliver: "end" } : { call: "think", arguments: { thought: `${i}` } },
  );
  await seedProject(kernel, "deaf", [scripted("Solo", steps, { worker_target: "deaf", max_steps: 20 })]);
  const wired = wireKernel({
    url: relay.through(kernel.test.url),
    name: "switchyard-deaf",
    tunables: quick,
    doorbell: kernel.doorbell,
  });
  onTestFinished(() => wired.close());
  const { agent_turn_id } = await launchTurn(wired, "deaf", { target: "Solo" });
  const before = relay.lost();
  relay.loseCommits(25, "answer");
  const worker = await startTestWorker(wired, { worker_id: "deaf", targets: ["deaf"] });
  const turn = await untilTurn(kernel, "deaf", agent_turn_id, "ended", 40_000);
  relay.loseCommits(0, "answer");
  await worker.stop();
  expect(turn).toMatchObject({ status: "success", attempt: 1, turn_epoch: 1 });
  expect((await outputOf(kernel, turn)).filter((card) => card.type === "tool.result")).toHaveLength(5);
  expect(relay.lost() - before).toBeGreaterThan(10);
}, 90_000);

test("a claim that neither succeeds nor fails is reported to the process that started the worker", async () => {
  let letGo = (): void => undefined;
  const hang = new Promise<void>((done) => {
    letGo = done;
  });
  const hung = createKernel({
    ...kernel,
    tunables: quick,
    probe: (point, statements) => (point === "after-take" && statements.includes("work_take") ? hang : undefined),
  });
  let tell: (what: string) => void = () => undefined;
  const told = new Promise<string>((done) => {
    tell = done;
  });
  const worker = await startTestWorker(hung, {
    worker_id: "hung",
    targets: ["hung"],
    silence: { onSilent: (what) => tell(what), tickMs: 20 },
  });
  expect(await told).toBe("claim");
  letGo();
  await worker.stop();
}, 30_000);
