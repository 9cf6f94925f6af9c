// A tool called by a worker of any language: what is refused is a result of the call and leaves nothing else, and what
// puts the caller to sleep is made once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolCallResult } from "@/server/contract/waiting";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { forksOf, joinIn } from "@/server/testing/forks";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { framesOf, outputOf, turnOf } from "@/server/testing/turns";
import { readBoxCards } from "../cardbox/read-box-cards";
import { saveTool } from "../roster/save-tool";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { callTool } from "./call-tool";

let kernel: TestKernel;
const P = "call_tool";
const { running } = callersOf(() => kernel, P);
const { start, end, sleep, resumeBy, sleeping, fork } = forksOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  const allowed_tools = ["fork_join", "ask_expert", "ask_human", "later"];
  await seedProject(kernel, P, [
    { name: "Boss", allowed_tools },
    { name: "Bound", allowed_tools: [] },
    { name: "Hand" },
  ]);
  await saveTool(kernel, { project_id: P, tool: { tool_name: "later" } });
});
afterAll(() => kernel.close());

const calling = async (
  turn: Running,
  tool_name: string,
  args: unknown,
  client_call_id = "c1",
): Promise<ToolCallResult> => {
  const step = await beginStep(kernel, {
    ...turn,
    request: { card_ids: [], system: "s", tools: [], tokens: 0, tools_tokens: 0 },
  });
  if (isFenced(step)) throw new Error("the turn was fenced");
  const answer = await callTool(kernel, {
    ...turn,
    step_id: step.step_id,
    tool_name,
    arguments: args as never,
    client_call_id,
  });
  if (isFenced(answer)) throw new Error("the call was fenced");
  return answer;
};
const typesOf = async (turn: Running) =>
  (await outputOf(kernel, await turnOf(kernel, P, turn.agent_turn_id))).map((card) => card.type);
const hands = (n: number) => ({ tasks: Array.from({ length: n }, () => toNew("Hand")) });

describe("69 a call that cannot be carried out", () => {
  test.each([
    ["a tool that nobody registered", "Boss", "no_such_tool", {}, "not_found"],
    ["a question that asks nothing", "Boss", "ask_human", { question: " " }, "bad_request"],
    ["one that the profile does not list", "Bound", "fork_join", hands(1), "auth_failed"],
    ["one of the project's that the profile does not list", "Bound", "later", {}, "auth_failed"],
    ["arguments that are no object", "Boss", "fork_join", "tasks", "bad_request"],
    ["59 arguments that make no sense", "Boss", "fork_join", { tasks: [] }, "bad_request"],
    ["a target that is not there", "Boss", "fork_join", { tasks: [toNew("Hand"), toNew("Nobody")] }, "not_found"],
    ["an expert that is not there", "Boss", "ask_expert", { expert_profile: "Nobody", question: "?" }, "not_found"],
  ])("%s is a failed result of the call, and nothing else", async (_what, profile, tool, args, code) => {
    const turn = await running(profile);
    const step = await beginStep(kernel, {
      ...turn,
      request: { card_ids: [], system: "s", tools: [], tokens: 0, tools_tokens: 0 },
    });
    if (isFenced(step)) throw new Error("the turn was fenced");
    const before = await countRows(kernel);
    const call = { ...turn, step_id: step.step_id, tool_name: tool, arguments: args as never, client_call_id: "c1" };
    expect(await callTool(kernel, call)).toMatchObject({
      mode: "inline",
      status: "failed",
      result: { status: "rejected", error_code: code, error: expect.any(String) },
    });
    expect(await typesOf(turn)).toEqual(["tool.call", "tool.result"]);
    const changed = Object.entries(await countRows(kernel)).filter(([table, n]) => n !== before[table]);
    const writes = ["public.cards", "state.journal_packs"];
    expect(changed.map(([table]) => table).filter((table) => !writes.includes(table))).toEqual([]);
    expect((await turnOf(kernel, P, turn.agent_turn_id)).status).toBe("running");
  });
});

describe("a call that suspends its caller", () => {
  test("made again is the same call and the same batch, also after a takeover", async () => {
    const turn = await running("Boss");
    const first = await calling(turn, "fork_join", hands(2));
    const again = await calling(turn, "fork_join", hands(2));
    expect(first).toMatchObject({ mode: "suspend", batch_id: expect.any(String), deadline: expect.any(String) });
    expect(again).toEqual(first);
    expect(
      (await framesOf(kernel, P, "batch")).filter((frame) => frame.parent_agent_turn_id === turn.agent_turn_id),
    ).toHaveLength(1);
    expect(await typesOf(turn)).toEqual(["tool.call"]);
  });
  test("an expert answers the asker, as the result of the call", async () => {
    const turn = await running("Boss");
    const asked = await calling(turn, "ask_expert", { expert_profile: "Hand", question: "why?" });
    if (asked.mode !== "suspend" || asked.batch_id === undefined) throw new Error("an expert was asked");
    await sleep(turn, [asked.tool_call_id]);
    const [frame] = (await framesOf(kernel, P, "turn")).filter((one) => one.batch_id === asked.batch_id);
    const expert = await start(frame && { agent_id: frame.agent_id, agent_turn_id: frame.agent_turn_id });
    await end(expert, "success", "because");
    const resumed = await resumeBy(turn, asked.tool_call_id);
    expect(resumed.results[0]?.card.content).toMatchObject({
      status: "success",
      result: {
        status: "success",
        summary: "because",
        output_box_id: expert.turn.output_box_id,
        agent_turn_id: expert.agent_turn_id,
      },
    });
    expect(await typesOf(turn)).toEqual(["tool.call", "tool.result"]);
  });
});

test("163 an agent reused by a fork continues in its output box, and reads the new instruction last", async () => {
  const first = await sleeping("Hand", [toNew("Hand", { instruction: "1+1" })]);
  const one = await start(first.fork.tasks[0]);
  await end(one, "success", "2");
  const boss = await running("Boss");
  const made = await fork(boss, {
    tasks: [{ target_strategy: "reuse", target_ref: one.agent_id, instruction: "2+3" }],
  });
  await sleep(boss, [made.tool_call_id]);
  const two = await start(made.tasks[0]);
  expect([two.turn.output_box_id, two.turn.output_start]).toEqual([one.turn.output_box_id, 1]);
  const context = await readBoxCards(kernel, { project_id: P, box_id: two.turn.context_box_id, limit: 100 });
  const said = context.cards.filter((card) => card.role === "user").at(-1);
  expect(said?.content).toEqual({ kind: "text", text: "2+3" });
  await end(two, "success", "5");
  expect(joinIn(await resumeBy(boss, made.tool_call_id))).toMatchObject({
    status: "success",
    results: [{ summary: "5" }],
  });
});
