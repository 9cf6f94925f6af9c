// The agents of a run: the fullest request is the one that the gauge of its turn and the alarm speak of.
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { readRunAgents } from "./read-run-agents";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [
    { name: "Plain", worker_target: "t1" },
    { name: "Narrow", worker_target: "t1", llm_config: { context_window: 1_000 } },
  ]);
});
afterAll(() => kernel.close());

const { running, accepted, run } = callersOf(() => kernel, "p1");
const { send } = alarmsOf(() => kernel, "p1");

test("peak, delegations and who made whom, in as many statements for many agents", async () => {
  const boss = await running("Narrow");
  await send(boss, [], { tokens: 500 });
  await send(boss, [], { tokens: 801 });
  const made = await accepted(boss, toNew("Plain"));
  const callee = await run(made.agent_id, made.agent_turn_id, made.turn_epoch ?? 0);
  const asked = { project_id: "p1", root_turn_id: boss.turn.root_turn_id };
  const { agents, delegations, ...rest } = await readRunAgents(kernel, asked);
  expect(rest).toMatchObject({ agents_total: 3, is_partial: false });
  expect(agents.map(({ agent_id }) => agent_id)).toEqual([
    expect.stringMatching(/^human_/),
    boss.agent_id,
    callee.agent_id,
  ]);
  expect(agents[1]).toMatchObject({
    ...{ profile_name: "Narrow", turns: 1, requests: 2, tight: 1, compactions: 0 },
    peak: { agent_turn_id: boss.agent_turn_id, tokens: 801, window_tokens: 1_000, ordinal: 2 },
    history: [{ tokens: 500 }, { tokens: 801 }],
  });
  expect(delegations).toEqual(
    expect.arrayContaining([
      { from: boss.agent_id, to: callee.agent_id, count: 1, tokens: callee.turn.context_tokens, failed: 0 },
    ]),
  );
  const before = await countStatements(kernel, (counting) => readRunAgents(counting, asked));
  for (let i = 0; i < 3; i++) await accepted(boss, toNew("Plain", { instruction: `more ${i}` }));
  expect(await countStatements(kernel, (counting) => readRunAgents(counting, asked))).toBe(before);
  expect(before).toBe(4);
});

test("a run of another project is not found", async () => {
  const turn = await running("Plain");
  await seedProject(kernel, "p2");
  await expect(readRunAgents(kernel, { project_id: "p2", root_turn_id: turn.turn.root_turn_id })).rejects.toMatchObject(
    { code: "not_found" },
  );
});
