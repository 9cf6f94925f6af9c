// What fork_join and ask_expert refuse: with the code and the place of the first fault, and without writing anything (K10).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { createBoxes } from "../cardbox/create-boxes";
import { launch } from "../launch/launch";
import { appendOutput } from "../turns/append-output";
import { withUnit } from "../unit";

let kernel: TestKernel;
const P = "fork_input";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Boss" },
    { name: "Hand" },
    { name: "Only_Hand", delegation_policy: { target_profiles: ["Hand"], target_tags: [] } },
    { name: "No_Policy", delegation_policy: null },
  ]);
  await seedProject(kernel, "elsewhere", [{ name: "Hand" }]);
});
afterAll(() => kernel.close());

const { running, refused, run, accepted, launched } = callersOf(() => kernel, P);
const { fork, sleeping, start } = forksOf(() => kernel, P);
const reuse = (target_ref: string) => ({ target_strategy: "reuse", target_ref, instruction: "again" });

describe("59 arguments that cannot be read", () => {
  test.each([
    ["a word for a list", { tasks: "oops" }, "invalid args.tasks"],
    ["an empty list", { tasks: [] }, "invalid args.tasks"],
    ["a task without a strategy", { tasks: [{ instruction: "x" }] }, "invalid args.tasks.0.target_strategy"],
    [
      "a NUL in the third",
      { tasks: [toNew("Hand"), toNew("Hand"), toNew("Hand", { instruction: "\u0000" })] },
      "args.tasks.2",
    ],
    ["61 one task too many", { tasks: Array.from({ length: 65 }, () => toNew("Hand")) }, "(got=65, max=64)"],
    ["63 neither yes nor no", { tasks: [toNew("Hand")], fail_fast: "maybe" }, "invalid args.fail_fast"],
    ["63 no time at all", { tasks: [toNew("Hand")], deadline_seconds: 0 }, "invalid args.deadline_seconds"],
  ])("%s", async (_what, args, message) => {
    const boss = await running("Boss");
    const error = await refused(() => fork(boss, args));
    expect(error.code).toBe("bad_request");
    expect(error.message).toContain(message);
  });
  test.each([
    ["nothing asked", { expert_profile: "Hand", question: " " }, "args.question"],
    ["nobody asked", { question: "why?" }, "args.expert_profile"],
    ["an unknown key", { expert_profile: "Hand", question: "why?", colour: "red" }, "args.colour"],
    [
      "a word for include_history",
      { expert_profile: "Hand", question: "?", include_history: "yes" },
      "args.include_history",
    ],
    [
      "51 a history that is missing",
      { expert_profile: "Hand", question: "?", include_history: true },
      "include_history",
    ],
  ])("ask_expert: %s", async (_what, args, message) => {
    const boss = await running("Boss");
    const error = await refused(() => fork(boss, args, "ask_expert"));
    expect(error.code).toBe("bad_request");
    expect(error.message).toContain(message);
  });
});

describe("one impossible task refuses all of them, and is named", () => {
  const third = (task: object) => ({ tasks: [toNew("Hand"), toNew("Hand"), task] });
  test("an unknown profile, an unknown agent and one of another project are not_found", async () => {
    const boss = await running("Boss");
    const { result } = await launch(kernel, {
      project_id: "elsewhere",
      tool: "delegate_async",
      user: "ann",
      args: toNew("Hand"),
    });
    const foreign = "agent_id" in result ? result.agent_id : "";
    for (const task of [
      toNew("Nobody"),
      reuse("nobody_1"),
      reuse(foreign),
      { ...reuse("nobody_1"), target_strategy: "clone" },
    ]) {
      const error = await refused(() => fork(boss, third(task)));
      expect([error.code, error.message]).toEqual(["not_found", expect.stringContaining("tasks.2.")]);
    }
    expect((await refused(() => fork(boss, { expert_profile: "Nobody", question: "?" }, "ask_expert"))).code).toBe(
      "not_found",
    );
  });
  test("a person cannot be a branch", async () => {
    const boss = await running("Boss");
    expect((await refused(() => fork(boss, third(reuse("human_ann"))))).code).toBe("not_found");
  });
  test("a box that the caller may not hand over, whether it exists or not", async () => {
    const boss = await running("Boss");
    await withUnit(kernel, (unit) =>
      createBoxes(unit, { project_id: P, boxes: [{ box_id: "secret", kind: "plain", items: [] }] }),
    );
    for (const context_box_id of ["secret", "not_there"]) {
      const error = await refused(() => fork(boss, third(toNew("Hand", { context_box_id }))));
      expect([error.code, error.message]).toEqual([
        "bad_request",
        expect.stringContaining(`unauthorized box_id: ${context_box_id}`),
      ]);
      expect(error.message).toContain("tasks.2.");
    }
  });
  test("nothing to clone yet", async () => {
    const boss = await running("Boss");
    const idle = await launched("Hand");
    await kernel.test.pool.query("UPDATE resource.project_agents SET active_turn = NULL WHERE agent_id = $1", [
      idle.agent_id,
    ]);
    const error = await refused(() => fork(boss, third({ ...reuse(idle.agent_id), target_strategy: "clone" })));
    expect([error.code, error.message]).toEqual(["bad_request", expect.stringContaining("tasks.2.target_ref")]);
  });
  test("35 37 one target that the policy does not name; no policy at all", async () => {
    const only = await running("Only_Hand");
    expect((await refused(() => fork(only, third(toNew("Boss"))))).code).toBe("auth_failed");
    expect((await fork(only, { tasks: [toNew("Hand")] })).task_count).toBe(1);
    const none = await running("No_Policy");
    expect((await refused(() => fork(none, { tasks: [toNew("Hand")] }))).code).toBe("auth_failed");
    const ask = { expert_profile: "Hand", question: "?" };
    expect((await refused(() => fork(none, ask, "ask_expert"))).code).toBe("auth_failed");
  });
  test("K12 a caller at depth 19 cannot fork; at 18 its children are the last level", async () => {
    const boss = await running("Boss");
    const atDepth = (depth: number) =>
      kernel.test.pool.query("UPDATE state.agent_turns SET depth = $2 WHERE agent_turn_id = $1", [
        boss.agent_turn_id,
        depth,
      ]);
    await atDepth(19);
    expect((await refused(() => fork(boss, { tasks: [toNew("Hand")] }))).code).toBe("recursion_depth_exceeded");
    await atDepth(18);
    expect((await fork(boss, { tasks: [toNew("Hand")] })).task_count).toBe(1);
  });
});

describe("187 K12 cycles", () => {
  const refusedCycle = async (caller: Running, tasks: object[], place: number) => {
    const error = await refused(() => fork(caller, { tasks }));
    expect([error.code, error.status, error.detail]).toEqual([
      "fork_cycle",
      422,
      { path: `tasks.${place}.target_ref` },
    ]);
    expect(error.message).toContain("clone it instead");
  };
  test("the caller itself", async () => {
    const boss = await running("Boss");
    await refusedCycle(boss, [toNew("Hand"), reuse(boss.agent_id)], 1);
  });
  test("an agent that waits for the caller, however far up", async () => {
    const top = await sleeping("Boss", 1);
    const middle = await start(top.fork.tasks[0]);
    const below = await start((await fork(middle, { tasks: [toNew("Boss")] })).tasks[0]);
    await refusedCycle(below, [reuse(top.agent_id)], 0);
    await refusedCycle(below, [toNew("Hand"), reuse(middle.agent_id)], 1);
  });
  test("an ancestor that has forked and is not suspended yet", async () => {
    const top = await running("Boss");
    const child = await start((await fork(top, { tasks: [toNew("Boss")] })).tasks[0]);
    await refusedCycle(child, [reuse(top.agent_id)], 0);
  });
  test("an ancestor that waits for nobody is no cycle: its turn is queued behind the running one", async () => {
    const top = await running("Boss");
    const aside = await accepted(top, toNew("Boss"));
    const child = await run(aside.agent_id, aside.agent_turn_id, 1);
    expect((await fork(child, { tasks: [reuse(top.agent_id)] })).task_count).toBe(1);
  });
  test("a clone of one of them is another agent", async () => {
    const top = await sleeping("Boss", 1);
    const child = await start(top.fork.tasks[0]);
    const made = await fork(child, { tasks: [{ ...reuse(top.agent_id), target_strategy: "clone" }] });
    expect(made.tasks[0]?.agent_id).not.toBe(top.agent_id);
  });
  test("an agent that is busy with something else is no cycle: its turn is queued", async () => {
    const boss = await running("Boss");
    const busy = await running("Hand");
    const made = await fork(boss, { tasks: [reuse(busy.agent_id)] });
    const { rows } = await kernel.test.pool.query("SELECT status FROM state.agent_turns WHERE agent_turn_id = $1", [
      made.tasks[0]?.agent_turn_id,
    ]);
    expect([made.tasks[0]?.status, rows[0].status]).toEqual(["dispatched", "queued"]);
  });
});

describe("65 targets", () => {
  test("one agent for two tasks is refused; one profile for two tasks is two agents", async () => {
    const boss = await running("Boss");
    const hand = await accepted(boss, toNew("Hand"));
    await run(hand.agent_id, hand.agent_turn_id, hand.turn_epoch ?? 0);
    const error = await refused(() =>
      fork(boss, { tasks: [reuse(hand.agent_id), toNew("Hand"), reuse(hand.agent_id)] }),
    );
    expect(error.message).toContain(
      `invalid args.tasks.2.target_ref: duplicate reuse target agent_id ${hand.agent_id}`,
    );
    const made = await fork(boss, { tasks: [toNew("Hand"), toNew("Hand")] });
    expect(new Set(made.tasks.map((task) => task.agent_id)).size).toBe(2);
  });
  test("51 an expert with history begins with what the asker has written", async () => {
    const boss = await running("Boss");
    await appendOutput(kernel, { ...boss, cards: [{ type: "agent.thought", content: "so far", author_id: "x" }] });
    const made = await fork(
      boss,
      { expert_profile: "Hand", question: "and now?", include_history: true },
      "ask_expert",
    );
    const { rows } = await kernel.test.pool.query(
      `SELECT c.content ->> 'text' AS text FROM state.agent_turns t JOIN card_box_chunks k ON k.tenant_id = t.project_id AND k.box_id = t.context_box_id AND k.n = 0
       JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = k.card_ids[1] WHERE t.agent_turn_id = $1`,
      [made.tasks[0]?.agent_turn_id],
    );
    expect(rows[0].text).toBe("so far");
  });
});
