import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { warningsOf } from "./profile-warnings";

const there = {
  tools: ["web_search"],
  profiles: ["Planner"],
  tags: ["search"],
  recipes: ["brief"],
  workspaces: ["code"],
};
const llm_config = { model: "openai/gpt-5-mini" };
const of = (body: object) => warningsOf(ProfileBody.parse({ name: "A", llm_config, ...body }), there);

test.each([
  ["a profile without anything", {}],
  [
    "tools that are there, of all kinds",
    { allowed_tools: ["web_search", "docs__*"], mcp_servers: [{ name: "docs", url: "http://h/" }] },
  ],
  ["an end that may be called", { must_end_with: ["submit_result"], allowed_internal_tools: ["submit_result"] }],
  ["an end among every tool of the project", { must_end_with: ["web_search"], allowed_tools: null }],
  [
    "a target and a tag that are there",
    { delegation_policy: { target_profiles: ["Planner"], target_tags: ["search"] } },
  ],
  ["a recipe that is saved", { handover_recipe: "brief@3" }],
  ["the built-in recipe", { handover_recipe: "instruction" }],
  ["a workspace that is registered", { workspaces: ["code"] }],
  ["a script", { llm_config: { provider: "script", script: [{ deliver: "x" }] } }],
])("no warning: %s", (_, body) => expect(of(body)).toEqual([]));

test.each([
  ["no model", { llm_config: {} }, /^llm_config names no model/],
  [
    "an unknown provider",
    { llm_config: { provider: "nobody", model: "x" } },
    /^llm_config.provider: nobody is not a known provider/,
  ],
  ["a provider without a model", { llm_config: { provider: "openai" } }, /^llm_config.model: missing/],
  [
    "a setting that is none of those accepted",
    { llm_config: { ...llm_config, reasoning_effort: "extreme" } },
    /^llm_config.reasoning_effort: extreme is not accepted; write one of none, minimal, low, medium, high, xhigh, max$/,
  ],
  [
    "another wire format",
    { llm_config: { ...llm_config, api: "completions" } },
    /^llm_config.api: completions is not accepted; write chat or responses$/,
  ],
  [
    "a choice of tools",
    { llm_config: { ...llm_config, tool_choice: "always" } },
    /^llm_config.tool_choice: always is not accepted; write auto, none, required, or/,
  ],
  [
    "a setting of another kind",
    { llm_config: { ...llm_config, stream: 1 } },
    /^llm_config.stream: write true or false$/,
  ],
  ["a tool that is missing", { allowed_tools: ["web_serach"] }, /^allowed_tools: web_serach is not a tool/],
  ["a name with a dot", { allowed_tools: ["web.search"] }, /^allowed_tools: web.search is not a tool/],
  ["an end that may not be called", { must_end_with: ["submit_result"] }, /^must_end_with: .*allowed_internal_tools/],
  ["an end that is denied", { must_end_with: ["think"], denied_tools: ["think"] }, /^must_end_with/],
  ["a target that is missing", { delegation_policy: { target_profiles: ["Plannr"] } }, /Plannr is not a profile/],
  ["a recipe that is not saved", { handover_recipe: "nope@2" }, /^handover_recipe: nope is not a recipe/],
  [
    "a workspace that is not registered",
    { workspaces: ["cod"] },
    /^workspaces: cod is not a workspace of this project/,
  ],
  ["a tag that nobody has", { delegation_policy: { target_tags: ["x"] } }, /^delegation_policy.target_tags/],
])("a warning: %s", (_, body, words) => expect(of(body)).toEqual([expect.stringMatching(words)]));

test("many warnings are counted, and a long name is shortened in the middle", () => {
  const many = of({ allowed_tools: Array.from({ length: 5_000 }, (_, i) => `t${i}`) });
  expect(many).toHaveLength(51);
  expect(many.at(-1)).toBe("4950 more warnings. Fix these first");
  const [long = ""] = of({ allowed_tools: ["\u{1f689}".repeat(100_000)] });
  expect(long.length).toBeLessThan(400);
  expect(long).toMatch(/^allowed_tools: .* \[\d+ characters\] .*is not a tool of this project\. .*remove the name$/u);
});
