// A delegation packs by the rules of a saved recipe, of its target's profile, or by rules of its own; the receipt says which.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Handover, type HandoverInput } from "@/server/contract/pack";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf } from "@/server/testing/forks";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { fork } from "../batch/fork";
import { forkIn } from "../batch/fork-in";
import { getCards } from "../cardbox/get-cards";
import { readBox } from "../cardbox/read-box";
import { launch } from "../launch/launch";
import { deleteRecipe } from "../roster/delete-recipe";
import { saveRecipe } from "../roster/save-recipe";
import { appendOutput } from "../turns/append-output";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { lockCaller } from "./caller";

let kernel: TestKernel;
const P = "recipes_used";
const quiet: HandoverInput = {
  context_packing_config: {
    pack_arguments: [
      { arg_key: "tone", as_card_type: "task.tone" },
      { arg_key: "instruction", as_card_type: "task.instruction" },
    ],
    inherit_context: { include_from_args: ["sources"], exclude_types: ["agent.thought"] },
  },
};
const save = (name: string, handover: HandoverInput, project_id = P) =>
  saveRecipe(kernel, { project_id, name, handover: Handover.parse(handover), user: "ann" });
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Boss" },
    { name: "Hand" },
    { name: "Quiet", handover_recipe: "quiet@1" },
    { name: "Lost", handover_recipe: "gone" },
  ]);
  await seedProject(kernel, "elsewhere", [{ name: "Hand" }]);
  await save("quiet", quiet);
  await save("quiet", { context_packing_config: { order: "inherited_first" } });
  await save("theirs", quiet, "elsewhere");
});
afterAll(() => kernel.close());

const { running, refused, accepted } = callersOf(() => kernel, P);
const forks = forksOf(() => kernel, P);

async function boss(): Promise<{ caller: Running; out: string; thought: string; note: string }> {
  const caller = await running("Boss");
  const cards = ["agent.thought", "agent.note"].map((type) => ({ type, content: type, author_id: "x" }));
  await appendOutput(kernel, { ...caller, cards });
  const { output_box_id } = await turnOf(kernel, P, caller.agent_turn_id);
  const { card_ids } = await readBox(kernel, { project_id: P, box_id: output_box_id ?? "" });
  return { caller, out: output_box_id ?? "", thought: card_ids[0] ?? "", note: card_ids[1] ?? "" };
}

async function packedBy(agent_turn_id = "") {
  const { context_box_id } = await turnOf(kernel, P, agent_turn_id);
  const { card_ids, receipt } = await readBox(kernel, { project_id: P, box_id: context_box_id });
  return {
    recipe: receipt?.recipe,
    types: await typesOf(card_ids),
    verdicts: receipt?.lines.map((line) => line.verdict),
  };
}
const typesOf = async (card_ids: string[]) =>
  (await getCards(kernel, { project_id: P, card_ids })).map(({ type }) => type);

describe("a recipe that is named", () => {
  test("packs the delegation by its own rules, in its version, with its arguments", async () => {
    const { caller, out } = await boss();
    const given = { recipe: "quiet@1", arguments: { tone: "dry", sources: [{ box_id: out }] } };
    const made = await accepted(caller, toNew("Hand", given));
    expect(await packedBy(made.agent_turn_id)).toEqual({
      recipe: { name: "quiet", version: 1 },
      types: ["task.tone", "meta.delegation_context", "task.instruction", "agent.note"],
      verdicts: ["included", "included", "included", "withheld", "included"],
    });
  });
  test("without a number is the newest; what the delegation itself gives is packed by it even if it names nothing", async () => {
    const { caller, out, note } = await boss();
    const made = await accepted(
      caller,
      toNew("Hand", { recipe: "quiet", context_box_id: out, load: [{ card_id: note }] }),
    );
    expect(await packedBy(made.agent_turn_id)).toEqual({
      recipe: { name: "quiet", version: 2 },
      types: ["agent.thought", "agent.note", "meta.delegation_context", "task.instruction"],
      verdicts: ["included", "duplicate", "included", "included"],
    });
  });
  test("stands in each task of a fork, with an expert, and with a person's launch", async () => {
    const { caller, out } = await boss();
    const asked = { recipe: "quiet@1", load: [{ box_id: out }] };
    const made = await forks.fork(caller, { tasks: [toNew("Hand", asked), toNew("Hand", { load: asked.load })] });
    const packed = await Promise.all(made.tasks.map((task) => packedBy(task.agent_turn_id)));
    expect(packed.map(({ recipe }) => recipe?.version)).toEqual([1, undefined]);
    expect(packed.map(({ types }) => types.includes("agent.thought"))).toEqual([false, true]);
    const expert = { expert_profile: "Hand", question: "?", recipe: "quiet@1", arguments: { tone: "warm" } };
    const answer = await forks.fork(caller, expert, "ask_expert");
    expect((await packedBy(answer.tasks[0]?.agent_turn_id)).types[0]).toBe("task.tone");
    const args = { profile_name: "Hand", instruction: "x", recipe: "quiet@1" };
    const { result } = await launch(kernel, { project_id: P, tool: "launch_principal", user: "ann", args });
    expect((await packedBy("agent_turn_id" in result ? result.agent_turn_id : "")).recipe?.version).toBe(1);
  });
  test("a clone keeps its memory under it", async () => {
    const { caller } = await boss();
    const other = await boss();
    await forks.end(other.caller);
    const clone = { target_strategy: "clone", target_ref: other.caller.agent_id, instruction: "x", recipe: "quiet@1" };
    const { types } = await packedBy((await accepted(caller, clone)).agent_turn_id);
    expect(types).toContain("agent.note");
    expect(types).not.toContain("agent.thought");
  });
});

describe("a profile's own recipe", () => {
  test("packs where the delegation names none, and gives way where it does", async () => {
    const { caller } = await boss();
    const [plain, named, builtIn] = [{}, { recipe: "quiet@2" }, { recipe: "instruction" }];
    const versions = [];
    for (const given of [plain, named, builtIn]) {
      const made = await accepted(caller, toNew("Quiet", given));
      versions.push((await packedBy(made.agent_turn_id)).recipe?.version);
    }
    expect(versions).toEqual([1, 2, undefined]);
  });
});

describe("what is refused, and leaves nothing behind", () => {
  test.each([
    ["no such recipe", "Hand", { recipe: "nope" }, "not_found", "Recipe nope does not exist."],
    ["another project's", "Hand", { recipe: "theirs" }, "not_found", "Recipe theirs does not exist."],
    ["no such version", "Hand", { recipe: "quiet@7" }, "not_found", "Recipe quiet has no version 7; the newest is 2."],
    [
      "no such version of the built-in one",
      "Hand",
      { recipe: "instruction@2" },
      "not_found",
      "Recipe instruction has no version 2; the newest is 1.",
    ],
    [
      "a profile's that is gone",
      "Lost",
      {},
      "not_found",
      "Recipe gone does not exist. Profile Lost names it as its handover_recipe.",
    ],
    [
      "the kernel's instruction",
      "Hand",
      { recipe: "quiet@1", arguments: { instruction: "y" } },
      "bad_request",
      "arguments.instruction: the kernel fills this in",
    ],
    [
      "the kernel's load",
      "Hand",
      { recipe: "quiet@1", arguments: { load: [] } },
      "bad_request",
      "arguments.load: the kernel fills this in",
    ],
    [
      "the kernel's profile",
      "Hand",
      { arguments: { profile_name: "Boss" } },
      "bad_request",
      "arguments.profile_name: the kernel fills this in",
    ],
    [
      "an argument that it does not use",
      "Hand",
      { recipe: "quiet@1", arguments: { tune: "x" } },
      "bad_request",
      "arguments.tune: recipe quiet@1 does not use this argument. It takes tone, sources",
    ],
    [
      "an argument without a recipe",
      "Hand",
      { arguments: { tone: "x" } },
      "bad_request",
      "arguments.tone: the recipe does not use this argument.",
    ],
    [
      "what its packing refuses",
      "Hand",
      { recipe: "quiet@1", arguments: { tone: null } },
      "bad_request",
      "arguments.tone is null",
    ],
    [
      "a list that is none",
      "Hand",
      { recipe: "quiet@1", arguments: { sources: "x" } },
      "bad_request",
      "arguments.sources must be a list of",
    ],
    [
      "too many arguments",
      "Hand",
      { arguments: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, 1])) },
      "bad_request",
      "at most 20 arguments",
    ],
  ])("%s", async (_what, profile, given, code, message) => {
    const { caller } = await boss();
    const one = await refused(() => accepted(caller, toNew(profile, given)));
    expect([one.code, one.message]).toEqual([code, expect.stringContaining(message)]);
    const many = await refused(() => forks.fork(caller, { tasks: [toNew("Hand"), toNew(profile, given)] }));
    expect([many.code, many.message]).toEqual([code, expect.stringContaining("tasks.1.")]);
  });
  test("a recipe that was deleted", async () => {
    await save("short", quiet);
    await deleteRecipe(kernel, { project_id: P, name: "short" });
    const { caller } = await boss();
    for (const recipe of ["short", "short@1"])
      expect((await refused(() => accepted(caller, toNew("Hand", { recipe })))).message).toBe(
        "Recipe short does not exist.",
      );
  });
});

describe("context_tokens_max", () => {
  test("refuses what weighs more, names who and how much, and lets through what weighs just that", async () => {
    const { caller, out } = await boss();
    const load = [{ box_id: out }];
    const made = await accepted(caller, toNew("Hand", { load, context_tokens_max: 1_000_000 }));
    const { context_tokens } = await turnOf(kernel, P, made.agent_turn_id);
    const at = (context_tokens_max: number) => toNew("Hand", { load, context_tokens_max });
    await accepted(caller, at(context_tokens));
    const one = await refused(() => accepted(caller, at(context_tokens - 1)));
    expect([one.code, one.message, one.detail]).toEqual([
      "bad_request",
      `Hand is given ${context_tokens} tokens; its limit is ${context_tokens - 1}. Raise the limit, or load less.`,
      { path: "context_tokens_max" },
    ]);
    const many = await refused(() => forks.fork(caller, { tasks: [at(1_000_000), at(5)] }));
    expect(many.message).toMatch(/^tasks\.1 is given \d+ tokens; its limit is 5\. Raise the limit, or load less\.$/);
    expect(many.detail).toEqual({ path: "tasks.1.context_tokens_max" });
  });
});

describe("rules of a task's own, at the kernel's level", () => {
  const forkWith = async (caller: Running, task: object) =>
    withUnit(kernel, async (unit) => {
      const locked = await lockCaller(unit, P, caller, "fork_join");
      if (isFenced(locked)) throw new Error("the caller was fenced");
      const args = { target_strategy: "new" as const, target_ref: "Hand", instruction: "x", ...task };
      const input = { tasks: [args], fail_fast: false };
      return forkIn(unit, {
        project_id: P,
        caller: locked,
        tool: "fork_join",
        input,
        tool_call_id: kernel.newId("tc_"),
      });
    });
  test("pack like a recipe, without a name in the receipt", async () => {
    const { caller, out } = await boss();
    const made = await forkWith(caller, {
      handover: Handover.parse(quiet),
      load: [{ box_id: out }],
      arguments: { tone: "x" },
    });
    const { recipe, types } = await packedBy(made.tasks[0]?.agent_turn_id);
    expect([recipe, types.includes("task.tone"), types.includes("agent.thought")]).toEqual([undefined, true, false]);
  });
  test("not both", async () => {
    const { caller } = await boss();
    const error = await refused(() => forkWith(caller, { handover: Handover.parse(quiet), recipe: "quiet" }));
    expect(error.message).toBe("tasks.0.recipe: Give a recipe or a handover, not both.");
  });
  test("are no argument of the tools", async () => {
    const { caller } = await boss();
    const error = await refused(() => forks.fork(caller, { tasks: [toNew("Hand", { handover: quiet })] }));
    expect(error.message).toContain("invalid args.tasks.0.handover");
  });
});

test("as many statements for 64 tasks with recipes as for one, and one more than without", async () => {
  const count = async (tasks: object[]) => {
    const { caller } = await boss();
    const call = {
      project_id: P,
      caller: { ...caller, tool_call_id: kernel.newId("tc_") },
      tool: "fork_join" as const,
    };
    return countStatements(kernel, (counting) => fork(counting, { ...call, args: { tasks } }));
  };
  const kinds = [{ recipe: "quiet@1" }, { recipe: "quiet" }, {}];
  const many = Array.from({ length: 64 }, (_, i) => toNew("Hand", kinds[i % 3]));
  const [none, one, all] = [await count([toNew("Hand")]), await count([toNew("Hand", kinds[0])]), await count(many)];
  expect([one, all]).toEqual([none + 1, none + 1]);
});
