// What a model says while it says it: watchers get it from the start of the step, it is stored nowhere, and it ends as soon
// as the turn is stopped. The model is the test's own and talks when it is told to.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { foldThinking, type Thinking } from "@/server/contract/thinking";
import { createPgDoorbell } from "@/server/doorbell/pg-doorbell";
import type { Kernel, Ring } from "@/server/kernel/kernel";
import { streamThinking } from "@/server/kernel/read-models/stream-thinking";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deliverableOf, launchTurn, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import type { Worker } from "./loop";
import type { Model, ModelEvent } from "./models/model";

let kernel: TestKernel;
let worker: Worker;
let P = "p0";
let n = 0;
/** Everything that was rung, even if nobody listens for it. */
const rung: Ring[] = [];
const prompter = createPrompter();

beforeAll(async () => {
  kernel = await openTestKernel();
  const doorbell = createPgDoorbell({ pool: kernel.db.pool, url: kernel.test.url });
  // No heartbeat during a test: a worker that goes silent was told by a ring.
  Object.assign(kernel, {
    doorbell,
    tunables: { ...tunables, pollMs: 60_000, beatMs: 60_000 },
  } satisfies Partial<Kernel>);
  await doorbell.listen((ring) => rung.push(ring));
  worker = await startTestWorker(kernel, { models: { talker: prompter.model }, graceMs: 0 });
});
afterAll(async () => {
  await worker.stop();
  await kernel.doorbell.close();
  await kernel.close();
});
beforeEach(async () => {
  P = `p${++n}`;
  rung.length = 0;
  await seedProject(kernel, P, [{ name: "Solo", llm_config: { provider: "talker" } }]);
});

/** A model that says what the test tells it to, whoever calls it. */
function createPrompter() {
  const lines: ModelEvent[] = [];
  let wake = () => {};
  let aborted: unknown;
  let asked = 0;
  const model: Model = {
    serialise: () => "",
    async *call(_request, signal) {
      asked++;
      aborted = undefined;
      signal.addEventListener("abort", () => {
        aborted = signal.reason;
        wake();
      });
      for (;;) {
        for (let line = lines.shift(); line; line = lines.shift()) {
          yield line;
          if (line.kind === "answer") return;
        }
        signal.throwIfAborted();
        await new Promise<void>((done) => {
          wake = done;
        });
      }
    },
  };
  return {
    model,
    say: (...events: ModelEvent[]) => {
      lines.push(...events);
      wake();
    },
    answer: (text: string, is_unfinished = false) => {
      lines.push({ kind: "answer", text, tool_calls: [], is_unfinished });
      wake();
    },
    aborted: () => aborted,
    asked: () => asked,
  };
}

async function speaking(): Promise<string> {
  const before = prompter.asked();
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  await expect.poll(prompter.asked, { timeout: 10_000 }).toBe(before + 1);
  return agent_turn_id;
}

/** A watcher that works as the browser does: it folds what arrives. */
function watch(agent_turn_id: string) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const seen: { held?: Thinking; count: number; error?: unknown } = { count: 0 };
  const listening = (async () => {
    for await (const piece of streamThinking(kernel, { project_id: P, agent_turn_id, signal: leaving.signal })) {
      const next = foldThinking(seen.held, piece);
      if (next === null) throw new Error("a piece came with a gap before it");
      seen.held = next;
      seen.count++;
    }
  })().catch((error) => {
    seen.error = error;
  });
  const leave = (): Promise<void> => {
    leaving.abort();
    return listening;
  };
  return { seen, leave };
}

const hears = (watcher: ReturnType<typeof watch>, what: Partial<Thinking>) =>
  expect.poll(() => watcher.seen.held, { timeout: 10_000 }).toMatchObject(what);
const thinkingRings = () => rung.filter((ring) => ring.kind === "thinking");

test("watchers get the text as it is produced; late ones get all of it; none of it is stored", async () => {
  const agent_turn_id = await speaking();
  const first = watch(agent_turn_id);
  prompter.say({ kind: "reasoning", text: "let me see" }, { kind: "delta", text: "The quick " });
  await hears(first, { reasoning: "let me see", text: "The quick ", is_over: false, turn_epoch: 1 });
  prompter.say({ kind: "delta", text: "brown " });
  await hears(first, { text: "The quick brown " });
  const late = watch(agent_turn_id);
  await hears(late, { reasoning: "let me see", text: "The quick brown " });
  const { count } = first.seen;
  prompter.say({ kind: "delta", text: "fox" });
  await hears(late, { text: "The quick brown fox" });
  await hears(first, { text: "The quick brown fox" });
  // What was sent again for the other watcher was not new here.
  expect(first.seen.count).toBe(count + 1);
  for (const table of ["cards", "state.journal", "state.agent_steps", "state.agent_turns", "state.agent_inbox"]) {
    const { rows } = await kernel.db.pool.query(`SELECT 1 FROM ${table} t WHERE t::text ~ 'quick|let me see'`);
    expect(rows, table).toEqual([]);
  }
  prompter.answer("The quick brown fox");
  const turn = await untilTurn(kernel, P, agent_turn_id);
  expect(await deliverableOf(kernel, turn)).toBe("The quick brown fox");
  await hears(first, { text: "The quick brown fox", is_over: true });
  expect(first.seen.held?.text).toBe("The quick brown fox");
  await Promise.all([first.leave(), late.leave()]);
  expect([first.seen.error, late.seen.error]).toEqual([undefined, undefined]);
});

test("a turn that nobody watches sends no rings, and one of another project cannot be watched", async () => {
  const agent_turn_id = await speaking();
  prompter.say({ kind: "delta", text: "into the void" });
  const stranger = streamThinking(kernel, { project_id: "p1", agent_turn_id, signal: AbortSignal.timeout(5_000) });
  await expect(stranger.next()).rejects.toThrow(`turn ${agent_turn_id} not found in project p1`);
  await new Promise((done) => setTimeout(done, 300));
  prompter.answer("said");
  await untilTurn(kernel, P, agent_turn_id);
  expect(thinkingRings()).toEqual([]);
});

test("many small pieces become a few rings, and a long one as many as NOTIFY needs", async () => {
  const agent_turn_id = await speaking();
  const watcher = watch(agent_turn_id);
  await expect.poll(() => rung.some((ring) => ring.kind === "watch")).toBe(true);
  for (let i = 0; i < 500; i++) prompter.say({ kind: "delta", text: `${i} ` });
  const counted = Array.from({ length: 500 }, (_, i) => `${i} `).join("");
  await hears(watcher, { text: counted });
  expect(thinkingRings().length).toBeLessThan(6);
  const long = '"\u0001漢𝄞'.repeat(10_000);
  prompter.say({ kind: "delta", text: long });
  await hears(watcher, { text: counted + long });
  prompter.answer("x");
  await untilTurn(kernel, P, agent_turn_id);
  await watcher.leave();
});

test("a retried model call starts over, and so does the next step", async () => {
  const agent_turn_id = await speaking();
  const watcher = watch(agent_turn_id);
  prompter.say({ kind: "delta", text: "half a sen" });
  await hears(watcher, { text: "half a sen", round: 0 });
  prompter.say({ kind: "restart" });
  await hears(watcher, { text: "", round: 1 });
  prompter.say({ kind: "delta", text: "whole" });
  await hears(watcher, { text: "whole", round: 1 });
  const step_id = watcher.seen.held?.step_id;
  prompter.answer("whole", true);
  prompter.say({ kind: "delta", text: "more" });
  await hears(watcher, { text: "more", round: 0 });
  expect(watcher.seen.held?.step_id).not.toBe(step_id);
  prompter.answer("more");
  await untilTurn(kernel, P, agent_turn_id);
  await watcher.leave();
});

test("a piece that was lost on the way is sent again", async () => {
  const agent_turn_id = await speaking();
  const watcher = watch(agent_turn_id);
  prompter.say({ kind: "delta", text: "one " });
  await hears(watcher, { text: "one " });
  const { ring } = kernel.doorbell;
  Object.assign(kernel.doorbell, {
    ring: (rings: Ring[]) => ring(rings.filter(({ kind }) => kind !== "thinking")),
  });
  prompter.say({ kind: "delta", text: "two " });
  await new Promise((done) => setTimeout(done, 300));
  Object.assign(kernel.doorbell, { ring });
  prompter.say({ kind: "delta", text: "three" });
  await hears(watcher, { text: "one two three" });
  prompter.answer("x");
  await untilTurn(kernel, P, agent_turn_id);
  await watcher.leave();
});

test("a stopped turn goes silent at once, and nothing of its text is kept", async () => {
  const agent_turn_id = await speaking();
  prompter.say({ kind: "delta", text: "on and on" });
  const started = Date.now();
  await stopTurn(kernel, { project_id: P, agent_turn_id, scope: "turn", by: "ann" });
  await expect.poll(() => String(prompter.aborted()), { timeout: 5_000, interval: 5 }).toMatch(/TurnLost/);
  expect(Date.now() - started).toBeLessThan(5_000);
  await expect.poll(() => worker.active()).toBe(0);
  expect(await turnOf(kernel, P, agent_turn_id)).toMatchObject({ status: "canceled", step_count: 1, output_cards: 1 });
});

test("a ring about a lease only makes the worker check: a turn that it still owns continues", async () => {
  const agent_turn_id = await speaking();
  await kernel.doorbell.ring([{ kind: "lease", project_id: P, agent_turn_id }]);
  await expect.poll(async () => (await turnOf(kernel, P, agent_turn_id)).rev).toBeGreaterThan(0);
  await new Promise((done) => setTimeout(done, 200));
  expect(prompter.aborted()).toBeUndefined();
  prompter.answer("still here");
  expect((await untilTurn(kernel, P, agent_turn_id)).status).toBe("success");
});
