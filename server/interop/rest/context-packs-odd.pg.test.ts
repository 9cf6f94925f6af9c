// Context packs from hostile input: no secret in what is stored or answered, no NUL in a pack, and the caller's field in a refusal.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const at = (path = "") => `/projects/odd/context-packs${path}`;
const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const NUL = "a\u0000b";
let pack_id: string;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "odd", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());
const { ok, refused } = restOf(() => kernel);

const base = { goal: "Retry.", definition_of_done: ["All tests pass"] };
beforeEach(async () => {
  ({ pack_id } = await ok("POST", at(), base));
});

const nested = (depth: number): object => {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
};

// JSON.parse keeps it as a member, and zod drops it: the pack was stored without it, and nobody was told.
test.each<[string, string, string]>([
  ["a constraint", '"constraints": {"__proto__": {"a": 1}}', "body.constraints: "],
  ["one inside a constraint", '"constraints": {"a": [{"__proto__": 1}]}', "body.constraints.a.0: "],
  ["one of the tool policy", '"tool_policy": {"__proto__": 1}', "body.tool_policy: "],
])("%s named __proto__ is refused, not dropped", async (_what, member, field) => {
  const before = await countRows(kernel);
  for (const path of [at(), at(":estimate")]) {
    const body = JSON.parse(`{"goal": "Retry.", "definition_of_done": ["x"], ${member}}`);
    const refusal = await refused("POST", path, { body });
    expect(refusal.error_message).toBe(`${field}has a member named __proto__. Rename it`);
  }
  expect(await countRows(kernel)).toEqual(before);
});

// Such a pack was built, and no gate could merge it: whoever joins it can't correct it.
test.each<[object, string]>([
  [{ allowedTools: "all" }, "body.tool_policy.allowedTools: expected a list of tool names"],
  [{ allowedTools: null }, "body.tool_policy.allowedTools: expected a list of tool names"],
  [{ blockedTools: ["rm", 1] }, "body.tool_policy.blockedTools: expected a list of tool names"],
  [{ approvalMode: "ask-me" }, "body.tool_policy.approvalMode: expected always, high_risk_only, on_request, never"],
])("the tool policy %j is refused before a pack is made of it", async (tool_policy, message) => {
  const before = await countRows(kernel);
  for (const path of [at(), at(":estimate")])
    expect((await refused("POST", path, { body: { ...base, tool_policy } })).error_message).toBe(message);
  expect(await countRows(kernel)).toEqual(before);
});

// It was a line without words in the list of packs.
test.each(["   ", "\n\t", "\u00a0"])("a goal of white space only (%j) is refused", async (goal) => {
  const refusal = await refused("POST", at(), { body: { ...base, goal } });
  expect(refusal.error_message).toBe("body.goal: is empty. Enter text");
});

// The stored input has the paths, also those that are no file of a workspace.
test.each<[string, object, string, string]>([
  ["a secret in a file's path", { files: ["src/a.ts", `src/${TOKEN}.ts`] }, "redaction_failed", "files.1: "],
  ["a secret as the node", { node_id: TOKEN }, "redaction_failed", "node_id: "],
  ["a secret in the schema", { output_schema_ref: `https://a.b/${TOKEN}` }, "redaction_failed", "output_schema_ref: "],
  ["a secret in the docs folder", { docs_root: `docs/${TOKEN}` }, "redaction_failed", "docs_root: "],
  ["a NUL in the goal", { goal: NUL }, "bad_request", "goal: "],
  ["a NUL in the definition of done", { definition_of_done: [NUL] }, "bad_request", "definition_of_done.0: "],
  ["a NUL in the node", { node_id: NUL }, "bad_request", "node_id: "],
  ["a NUL in a constraint", { constraints: { a: NUL } }, "bad_request", "constraints.a: "],
  ["150 levels of constraints", { constraints: nested(150) }, "bad_request", "constraints."],
])("%s is refused by its field", async (_what, over, code, field) => {
  for (const path of [at(), at(":estimate")]) {
    const refusal = await refused("POST", path, { body: { ...base, ...over } });
    expect(refusal.error_code).toBe(code);
    expect(refusal.error_message.startsWith(field)).toBe(true);
    expect(JSON.stringify(refusal)).not.toContain(TOKEN);
  }
});

test.each<[string, object, string, string]>([
  ["a NUL in the goal", { goal: NUL }, "bad_request", "goal: "],
  ["a NUL in the node", { node_id: NUL }, "bad_request", "node_id: "],
  ["a secret as the node", { node_id: TOKEN }, "redaction_failed", "node_id: "],
])("a merge with %s is refused by its field", async (_what, over, code, field) => {
  const refusal = await refused("POST", at(":merge"), { body: { packs: [{ pack_id }], node_id: "join", ...over } });
  expect(refusal.error_code).toBe(code);
  expect(refusal.error_message.startsWith(field)).toBe(true);
});
