import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { warningsOf } from "./profile-warnings";

const there = { tools: ["web_search"], profiles: ["Planner"], tags: ["search"] };
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
  ["a script", { llm_config: { provider: "script", script: [{ deliver: "x" }] } }],
])("no warning: %s", (_, body) => expect(of(body)).toEqual([]));

test.each([
  ["no model", { llm_config: {} }, /^llm_config names no model/],
  [
    "an unknown provider",
    { llm_config: { provider: "nobody", model: "x" } },
    /^llm_config.provider: nobody is not known/,
  ],
  ["a provider without a model", { llm_config: { provider: "openai" } }, /^llm_config.model: none is given/],
  ["a tool that is missing", { allowed_tools: ["web_serach"] }, /^allowed_tools: web_serach is no tool/],
  ["a name with a dot", { allowed_tools: ["web.search"] }, /^allowed_tools: web.search is no tool/],
  ["an end that may not be called", { must_end_with: ["submit_result"] }, /^must_end_with: .*allowed_internal_tools/],
  ["an end that is denied", { must_end_with: ["think"], denied_tools: ["think"] }, /^must_end_with/],
  ["a target that is missing", { delegation_policy: { target_profiles: ["Plannr"] } }, /Plannr is no profile/],
  ["a tag that nobody has", { delegation_policy: { target_tags: ["x"] } }, /^delegation_policy.target_tags/],
])("a warning: %s", (_, body, words) => expect(of(body)).toEqual([expect.stringMatching(words)]));
