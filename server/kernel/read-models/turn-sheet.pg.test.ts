// One turn as its page reads it: its cost including all turns below it, its neighbours, its steps and their requests.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, scripted, startTestWorker, turnOf, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { forkTurn } from "../launch/fork-turn";
import { readBatchSheet } from "./read-batch-sheet";
import { readStepRequest } from "./read-step-request";
import { readStepSheet, readStepText } from "./read-step-sheet";
import { readStepTimes } from "./read-step-times";
import { readTurnDetail } from "./read-turn-detail";
import { readTurnSheet } from "./read-turn-sheet";

let kernel: TestKernel;
let worker: Worker;
const P = "sheets";
const long = "word ".repeat(2_000);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted(
      "Boss",
      [
        { call: "think", arguments: { thought: "who" }, say: "Let me see." },
        {
          call: "fork_join",
          arguments: {
            tasks: ["a", "b"].map((instruction) => ({ target_strategy: "new", target_ref: "Hand", instruction })),
          },
        },
        { deliver: "joined" },
      ],
      { allowed_tools: ["fork_join"] },
    ),
    scripted("Hand", [{ think: "hm" }, { deliver: "held {instruction}" }]),
  ]);
  await seedProject(kernel, "elsewhere");
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

let boss: Promise<string> | undefined;
/** One run for all reads. */
const run = (): Promise<string> => {
  boss ??= launchTurn(kernel, P, { target: "Boss", instruction: long }).then(async ({ agent_turn_id }) => {
    await untilTurn(kernel, P, agent_turn_id);
    await kernel.test.pool.query(
      "UPDATE state.agent_turns SET cost = 0.25 WHERE project_id = $1 AND (agent_turn_id = $2 OR title = 'a')",
      [P, agent_turn_id],
    );
    return agent_turn_id;
  });
  return boss;
};
const sheetOf = async () => readTurnSheet(kernel, { project_id: P, agent_turn_id: await run() });

describe("a subtree", () => {
  test("is summed with everything that a turn started, in one statement", async () => {
    const agent_turn_id = await run();
    const { rows } = await kernel.test.pool.query<{ tokens_in: number; tokens_out: number }>(
      "SELECT sum(tokens_in)::int AS tokens_in, sum(tokens_out)::int AS tokens_out FROM state.agent_turns WHERE project_id = $1 AND depth > 0",
      [P],
    );
    const { rows: steps } = await kernel.test.pool.query<{ sum: number }>(
      "SELECT sum(request_tokens)::int AS sum FROM state.agent_steps WHERE project_id = $1",
      [P],
    );
    const { subtree, cost } = await readTurnDetail(kernel, { project_id: P, agent_turn_id });
    expect(subtree).toEqual({ turns: 3, live: 0, ...rows[0], request_tokens: steps[0]?.sum, cost: 0.5, unpriced: 1 });
    expect(cost).toBe(0.25);
    const leaf = (await sheetOf()).callees[1];
    const below = await readTurnDetail(kernel, { project_id: P, agent_turn_id: leaf?.agent_turn_id ?? "" });
    expect(below.subtree).toMatchObject({ turns: 1, unpriced: 1 });
    expect(below.subtree).not.toHaveProperty("cost");
  });
  test("of a cycle in restored data ends", async () => {
    const agent_turn_id = await run();
    const { root_turn_id } = await turnOf(kernel, P, agent_turn_id);
    const set = (parent: string | null) =>
      kernel.test.pool.query(
        "UPDATE state.agent_turns SET parent_turn_id = $3 WHERE project_id = $1 AND agent_turn_id = $2",
        [P, root_turn_id, parent],
      );
    await set(agent_turn_id);
    const { subtree } = await readTurnDetail(kernel, { project_id: P, agent_turn_id });
    await set(null);
    expect(subtree.turns).toBe(4);
  });
});

describe("a turn's sheet", () => {
  test("has its boxes, its run, whom it called and its neighbours", async () => {
    const sheet = await sheetOf();
    expect(sheet.boxes.map((box) => box.role)).toEqual(["profile", "context", "output"]);
    expect(sheet.boxes[1]).toMatchObject({ box_id: sheet.context_box_id, length: sheet.context_cards });
    expect(sheet.run).toMatchObject({ root_turn_id: sheet.root_turn_id, source: "launch" });
    expect(sheet.callees.map((turn) => [turn.profile_name, turn.title, turn.status])).toEqual([
      ["Hand", "a", "success"],
      ["Hand", "b", "success"],
    ]);
    expect(sheet.previous).toBe(sheet.root_turn_id);
    expect(sheet.callees.map((turn) => turn.agent_turn_id)).toContain(sheet.next);
    expect(sheet).toMatchObject({ below: [], running: [], forks: [] });
    const branch = await readTurnSheet(kernel, { project_id: P, agent_turn_id: sheet.callees[0]?.agent_turn_id ?? "" });
    expect(branch.branch).toMatchObject({ number: 1, caller: sheet.headcode, others: ["success"] });
  });
  test("names what was forked from it", async () => {
    const agent_turn_id = await run();
    const fork = await forkTurn(kernel, {
      project_id: P,
      agent_turn_id,
      at_step: 3,
      replace: [],
      drop: [],
      user: "ann",
    });
    await untilTurn(kernel, P, fork.agent_turn_id);
    const { forks } = await sheetOf();
    expect(forks).toMatchObject([{ agent_turn_id: fork.agent_turn_id, ordinal: 3 }]);
    const sheet = await readTurnSheet(kernel, { project_id: P, agent_turn_id: fork.agent_turn_id });
    expect(sheet.forked_from).toMatchObject({ agent_turn_id, ordinal: 3 });
  });
  test("of another project is not found", async () => {
    const agent_turn_id = await run();
    const input = { project_id: "elsewhere", agent_turn_id };
    await expect(readTurnSheet(kernel, input)).rejects.toMatchObject({ code: "not_found" });
    const { steps } = await sheetOf();
    const step = { ...input, step_id: steps[0]?.step_id ?? "" };
    await expect(readStepSheet(kernel, step)).rejects.toMatchObject({ code: "not_found" });
  });
  test("takes as many statements for a turn with branches as for one without", async () => {
    const sheet = await sheetOf();
    const count = (agent_turn_id: string) =>
      countStatements(kernel, (counting) => readTurnSheet(counting, { project_id: P, agent_turn_id }));
    expect(await count(sheet.agent_turn_id)).toBe(await count(sheet.callees[0]?.agent_turn_id ?? ""));
  });
});

describe("the times of steps", () => {
  test("are those of the turn's own page, for many turns in one statement", async () => {
    const sheet = await sheetOf();
    const ids = [sheet.agent_turn_id, ...sheet.callees.map((turn) => turn.agent_turn_id)];
    const read = await readStepTimes(kernel, { project_id: P, agent_turn_ids: [...ids, "turn_gone"] });
    expect(read.map((turn) => turn.agent_turn_id).sort()).toEqual([...ids].sort());
    const own = read.find((turn) => turn.agent_turn_id === sheet.agent_turn_id);
    expect(own?.steps).toEqual(
      sheet.steps.map(({ step_id, ordinal, status, started_at, ended_at }) => {
        const answered_at = sheet.answered_at[step_id];
        return { ordinal, status, started_at, ended_at, ...(answered_at !== undefined && { answered_at }) };
      }),
    );
    expect(Object.keys(sheet.answered_at).length).toBeGreaterThan(0);
    const count = (agent_turn_ids: string[]) =>
      countStatements(kernel, (counting) => readStepTimes(counting, { project_id: P, agent_turn_ids }));
    expect([await count(ids), await count(ids.slice(0, 1))]).toEqual([1, 1]);
    expect(await readStepTimes(kernel, { project_id: "elsewhere", agent_turn_ids: ids })).toEqual([]);
  });
  test("are on the board too", async () => {
    const sheet = await sheetOf();
    const [hand] = sheet.callees;
    const batch_id = (await turnOf(kernel, P, hand?.agent_turn_id ?? "")).batch_id ?? "";
    const [times] = await readStepTimes(kernel, { project_id: P, agent_turn_ids: [hand?.agent_turn_id ?? ""] });
    const board = await readBatchSheet(kernel, { project_id: P, batch_id });
    expect(board.tasks[0]?.steps).toEqual(times?.steps);
    expect(times?.steps.length).toBeGreaterThan(0);
  });
});

describe("a step", () => {
  test("shows what was sent, message by message, and what is new since the step before", async () => {
    const sheet = await sheetOf();
    const [first, second, third] = await Promise.all(
      sheet.steps.map(({ step_id }) =>
        readStepSheet(kernel, { project_id: P, agent_turn_id: sheet.agent_turn_id, step_id }),
      ),
    );
    expect(first?.request?.messages).toMatchObject([{ role: "user", letters: long.length, is_added: false }]);
    expect(first?.request).not.toHaveProperty("before");
    expect(first?.request?.messages[0]?.text).toHaveLength(4_000);
    expect(first?.request?.system.text).toContain("You are Boss.");
    expect(second?.request?.tools.offered.map((tool) => tool.tool_name)).toContain("fork_join");
    expect(second?.request?.messages.map((m) => [m.role, m.is_added, m.tool_calls.length])).toEqual([
      ["user", false, 0],
      ["assistant", true, 1],
      ["tool", true, 0],
    ]);
    expect(second?.request?.messages[1]?.tool_calls[0]).toMatchObject({
      tool_name: "think",
      arguments: '{"thought":"who"}',
    });
    expect(second?.request?.system.is_added).toBe(false);
    expect(second?.request?.before).toEqual({ ordinal: 1, dropped: [] });
    // Byte for byte beside it.
    const wire = await readStepRequest(kernel, { project_id: P, agent_turn_id: sheet.agent_turn_id, ordinal: 2 });
    expect(second?.request).toMatchObject({
      sha256: wire.request_sha256,
      bytes: Buffer.byteLength(wire.request_text ?? ""),
    });
    const sent = JSON.parse(wire.request_text ?? "{}") as { system: string; messages: { text: string }[] };
    const texts = await Promise.all(
      sent.messages.map((_, part) =>
        readStepText(kernel, {
          project_id: P,
          agent_turn_id: sheet.agent_turn_id,
          step_id: second?.step_id ?? "",
          part,
        }),
      ),
    );
    expect(texts.map((one) => one.text)).toEqual(sent.messages.map((message) => message.text));
    expect(third?.request?.messages.filter((m) => m.is_added)).toHaveLength(2);
  });
  test("shows what it answered: text, calls with their results even if those came later, the deliverable", async () => {
    const sheet = await sheetOf();
    const steps = await Promise.all(
      sheet.steps.map(({ step_id }) =>
        readStepSheet(kernel, { project_id: P, agent_turn_id: sheet.agent_turn_id, step_id }),
      ),
    );
    expect(steps[0]?.answer).toMatchObject({
      thought: { text: "Let me see." },
      calls: [
        { tool_name: "think", arguments: { text: expect.stringContaining("who") }, result: { status: "success" } },
      ],
    });
    expect(steps[1]?.answer.calls).toMatchObject([
      { tool_name: "fork_join", result: { status: "success", text: expect.stringContaining("held a") } },
    ]);
    expect(steps[1]?.answer).not.toHaveProperty("deliverable");
    expect(steps[2]?.answer).toMatchObject({ calls: [], deliverable: { text: "joined" } });
  });
});
