// The five tools as a worker calls them: what a model is answered, and what it may not give.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCallResult } from "@/server/contract/waiting";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { callTool } from "./call-tool";
import { NOTHING_STORED } from "./env-data";

let kernel: TestKernel;
const P = "env_tools";
const { running } = callersOf(() => kernel, P);
let n = 0;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    { name: "solver" },
    { name: "mute", denied_tools: ["store_env_data", "list_env_data"] },
  ]);
});
afterAll(() => kernel.close());

async function call(turn: Running, tool_name: string, args: unknown, client_call_id = `c${++n}`) {
  const step = await beginStep(kernel, {
    ...turn,
    request: { card_ids: [], system: "s", tools: [], tokens: 0, tools_tokens: 0 },
  });
  if (isFenced(step)) throw new Error("the turn was fenced");
  const input = { ...turn, step_id: step.step_id, tool_name, arguments: args as never, client_call_id };
  const answer = (await callTool(kernel, input)) as ToolCallResult;
  if (answer.mode !== "inline") throw new Error(`${tool_name} answers at once`);
  return answer.result;
}
const codeOf = (result: unknown) => (result as { error_code?: string }).error_code;

test("store, get, list, update, delete, one after the other", async () => {
  const turn = await running("solver");
  const key = "grid";
  expect(await call(turn, "list_env_data", {})).toBe(NOTHING_STORED);
  expect(await call(turn, "store_env_data", { key, short_description: "the grid", value: [[0]] })).toEqual({
    status: "stored",
    key,
  });
  expect(await call(turn, "get_env_data", { key })).toEqual({
    key,
    short_description: "the grid",
    value: [[0]],
    stored_by: turn.agent_id,
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(await call(turn, "list_env_data", {})).toEqual([{ key, short_description: "the grid" }]);
  expect(await call(turn, "update_env_data", { key, value: false })).toEqual({ status: "updated", key });
  expect(await call(turn, "get_env_data", { key })).toMatchObject({ value: false, short_description: "the grid" });
  expect(await call(turn, "delete_env_data", { key })).toEqual({ status: "deleted", key });
  expect(await call(turn, "list_env_data", {})).toBe(NOTHING_STORED);
});

test.each([
  ["store_env_data", { key: "k", short_description: "d" }, "value: is missing; give"],
  ["store_env_data", { key: "k", short_description: "d", value: null }, "value: null"],
  ["store_env_data", { key: "k", value: 1 }, "short_description"],
  ["store_env_data", { key: "k", short_description: null, value: 1 }, "short_description"],
  ["store_env_data", { key: "  ", short_description: "d", value: 1 }, "key"],
  ["store_env_data", { key: "a\nb", short_description: "d", value: 1 }, "key"],
  ["store_env_data", { key: "k", short_description: "d", value: 1, root_turn_id: "another" }, "root_turn_id"],
  ["update_env_data", { key: "k", value: null }, "value: null"],
  ["update_env_data", { key: "k", short_description: null }, "short_description"],
  ["update_env_data", { key: "k" }, "value: give"],
  ["get_env_data", {}, "key"],
  ["list_env_data", { all: true }, "all"],
])("%s %j is refused with the reason", async (tool, args, words) => {
  const result = await call(await running("solver"), tool, args);
  expect(codeOf(result)).toBe("bad_request");
  expect((result as { error: string }).error).toContain(words);
});

test("a missing key: where to store it, or how to see what is there", async () => {
  const turn = await running("solver");
  const errorOf = async (tool: string, args: object) => (await call(turn, tool, { key: "k", ...args })) as object;
  expect(await errorOf("update_env_data", { value: 0 })).toMatchObject({
    error_code: "not_found",
    error: expect.stringContaining("store_env_data"),
  });
  for (const tool of ["get_env_data", "delete_env_data"])
    expect(await errorOf(tool, {})).toMatchObject({
      error_code: "not_found",
      error: expect.stringContaining("list_env_data"),
    });
});

test("a call made again by the worker's id is one call", async () => {
  const turn = await running("solver");
  const store = (value: number, id: string) =>
    call(turn, "store_env_data", { key: "k", short_description: "d", value }, id);
  await store(1, "same");
  await store(2, "other");
  await store(1, "same");
  expect(await call(turn, "get_env_data", { key: "k" })).toMatchObject({ value: 2 });
});

test("K15 a profile that is denied a tool is refused it, and is told what it has", async () => {
  const turn = await running("mute");
  const result = await call(turn, "store_env_data", { key: "k", short_description: "d", value: 1 });
  expect(codeOf(result)).toBe("auth_failed");
  expect((result as { error: string }).error).toContain("declared are (none)");
});
