// The dry run of a fork and of a question to an expert: each task as the launch would pack it, and nothing written.
import { afterAll, beforeAll, expect, test } from "vitest";
import { Handover } from "@/server/contract/pack";
import { callersOf, toNew } from "@/server/testing/callers";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { turnOf } from "@/server/testing/turns";
import { readBox } from "../cardbox/read-box";
import { saveRecipe } from "../roster/save-recipe";
import { readOffers } from "../tools/read-offers";
import { registerWorker } from "../turns/register-worker";
import { launch } from "./launch";
import { previewLaunch } from "./preview-launch";

let kernel: TestKernel;
const P = "preview_fork";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "Hand", system_prompt: "You are a hand." },
    { name: "Other", worker_target: "t_other" },
  ]);
  const handover = Handover.parse({ context_packing_config: { order: "inherited_first" } });
  await saveRecipe(kernel, { project_id: P, name: "brief", handover, user: "ann" });
});
afterAll(() => kernel.close());

const { running } = callersOf(() => kernel, P);
const fork = { project_id: P, tool: "fork_join", user: "ann", offer: readOffers } as const;
const ask = { ...fork, tool: "ask_expert" } as const;

async function fine(args: unknown) {
  const answer = await previewLaunch(kernel, { ...fork, args });
  if (!answer.ok) throw new Error(answer.error);
  return answer.tasks;
}

test("each task is packed and weighed as the launch does it, and nothing is written", async () => {
  const busy = await running("Hand");
  const load = [{ box_id: busy.turn.context_box_id }];
  const tasks = [
    toNew("Hand", { load, recipe: "brief" }),
    { target_strategy: "reuse", target_ref: busy.agent_id, instruction: "again" },
    toNew("Other", { instruction: "something longer than that" }),
  ];
  await registerWorker(kernel, { worker_id: "w_other", targets: ["t_other"], version: "1", project_id: P });
  const before = await countRows(kernel);
  const shown = await fine({ tasks });
  expect(await countRows(kernel)).toEqual(before);
  expect(
    shown.map(({ target, ...rest }) => [target.profile_name, target.is_new, rest.queue_ahead, rest.worker_count]),
  ).toEqual([
    ["Hand", true, 0, 0],
    ["Hand", false, 1, 0],
    ["Other", true, 0, 1],
  ]);
  expect(shown[0]?.pack.receipt.recipe).toEqual({ name: "brief", version: 1 });
  expect(shown.map(({ request }) => (request?.tokens ?? 0) > 0)).toEqual([true, true, true]);
  expect(Object.keys(shown[0]?.pack ?? {}).sort()).toEqual([
    "card_ids",
    "consist",
    "length",
    "receipt",
    "target_profile_box_id",
    "token_sum",
  ]);
  const { result } = await launch(kernel, { project_id: P, tool: "fork_join", user: "ann", args: { tasks } });
  const made = "tasks" in result ? result.tasks : [];
  for (const [i, { agent_turn_id = "" }] of made.entries()) {
    const turn = await turnOf(kernel, P, agent_turn_id);
    const { receipt } = await readBox(kernel, { project_id: P, box_id: turn.context_box_id });
    expect(shown[i]?.pack).toMatchObject({
      length: turn.context_cards,
      token_sum: turn.context_tokens,
      consist: turn.context_consist,
    });
    expect(shown[i]?.pack.receipt.hash).toBe(receipt?.hash);
  }
});

test("an expert is one task, and weighs what a delegation of the same words shows", async () => {
  const answer = await previewLaunch(kernel, { ...ask, args: { expert_profile: "Hand", question: "do work" } });
  const one = await previewLaunch(kernel, { ...fork, tool: "delegate_async", args: toNew("Hand") });
  if (!answer.ok || !one.ok) throw new Error("a dry run was refused");
  expect(answer.tasks).toHaveLength(1);
  expect(answer.tasks[0]?.pack.receipt.hash).toBe(one.pack.receipt.hash);
  expect(answer.tasks[0]?.request?.tokens).toBe(one.pack.rendered?.tokens);
});

test("a refusal is the launch's own and names the task", async () => {
  const preview = (task: object) => previewLaunch(kernel, { ...fork, args: { tasks: [toNew("Hand"), task] } });
  expect(await preview(toNew("Nobody"))).toMatchObject({
    ok: false,
    error_code: "not_found",
    error: expect.stringContaining("tasks.1."),
  });
  expect(await preview(toNew("Hand", { instruction: " " }))).toMatchObject({ ok: false, field: "tasks.1.instruction" });
  expect(await preview(toNew("Hand", { recipe: "brief@9" }))).toMatchObject({
    ok: false,
    error: "tasks.1.recipe: Recipe brief has no version 9; the newest is 1.",
    field: "tasks.1.recipe",
  });
  expect(await preview(toNew("Hand", { context_tokens_max: 1 }))).toMatchObject({
    ok: false,
    field: "tasks.1.context_tokens_max",
  });
  expect(await previewLaunch(kernel, { ...ask, args: { expert_profile: "Nobody", question: "?" } })).toMatchObject({
    ok: false,
    error_code: "not_found",
  });
  const none = await previewLaunch(kernel, {
    ...fork,
    tool: "provision_agent",
    args: { action: "create", agent_id: "a1", profile_name: "Hand" },
  });
  expect(none).toMatchObject({ ok: false, error_code: "bad_request", field: "tool" });
});

test("as many statements for 64 tasks as for one", async () => {
  const busy = await running("Hand");
  const load = [{ box_id: busy.turn.context_box_id }];
  const count = (n: number) => {
    const tasks = Array.from({ length: n }, (_, i) =>
      toNew(i % 2 === 0 ? "Hand" : "Other", { load, recipe: "brief@1" }),
    );
    return countStatements(kernel, async (counting) => {
      const answer = await previewLaunch(counting, { ...fork, args: { tasks } });
      expect(answer).toMatchObject({ ok: true, tasks: { length: n } });
    });
  };
  const counts = [await count(1), await count(64)];
  expect(counts[0]).toBe(counts[1]);
  expect(counts[0]).toBeLessThanOrEqual(16);
});
