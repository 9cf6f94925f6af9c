import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { internalTools, type Tool, ToolBody } from "@/server/contract/tool";
import type { ToolAnswer } from "./inline-tool";
import { allowedTools, findTool, toolNames } from "./inline-tools";

const profile = (extra: object) => ProfileBody.parse({ name: "P", ...extra });
const codeOf = (found: object) => ("refusal" in found ? (found.refusal as ToolAnswer).error?.code : "found");
const webSearch: Tool = {
  ...ToolBody.parse({ tool_name: "web_search", description: "Searches." }),
  project_id: "p",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

const everybody = [
  "think",
  "list_capabilities",
  "store_env_data",
  "get_env_data",
  "list_env_data",
  "update_env_data",
  "delete_env_data",
];

test("every agent can think, list capabilities and use environment data; other tools must be listed", () => {
  const namesOf = (extra: object) => allowedTools(profile(extra), [webSearch]).map((tool) => tool.tool_name);
  expect(namesOf({})).toEqual(everybody);
  expect(namesOf({ allowed_tools: ["delegate_async"], allowed_internal_tools: ["submit_result"] })).toEqual([
    ...everybody,
    "delegate_async",
    "submit_result",
  ]);
  // Null = all of the project's tools, not the power to delegate.
  expect(namesOf({ allowed_tools: null })).toEqual([...everybody, "web_search"]);
  // Unless the profile denies it: then it is neither offered nor named to the model.
  const mute = { denied_tools: ["list_env_data", "think", "web_search"], allowed_tools: null };
  expect(namesOf(mute)).toEqual(everybody.filter((name) => !mute.denied_tools.includes(name)));
  expect(toolNames(allowedTools(profile(mute), [webSearch]))).toEqual({ universal: namesOf(mute), declared: [] });
  expect(codeOf(findTool(profile(mute), "list_env_data", null))).toBe("auth_failed");
});

// Descriptions are prompts: an agent is called an agent in all of them.
test("no description has a second name for an agent", () => {
  const all = allowedTools(profile({ allowed_internal_tools: [...internalTools] }), []);
  expect(all).toHaveLength(internalTools.length);
  for (const { description, parameters } of all)
    expect(`${description} ${JSON.stringify(parameters)}`).not.toMatch(
      /prompt object|principal|partner|associate|worker agent|bot\b/i,
    );
});

test("89 [sysprompt] a refusal names what is declared", () => {
  const errorOf = (extra: object, tool: string) => {
    const found = findTool(profile(extra), tool, null);
    return "refusal" in found ? found.refusal.error?.message : "found";
  };
  const declared = { allowed_tools: ["web_search"], allowed_internal_tools: ["submit_result"] };
  for (const tool of ["no_such_tool", "fork_join"])
    expect(errorOf(declared, tool)).toContain("declared are web_search, submit_result; call list_capabilities");
  expect(errorOf({}, "fork_join")).toContain("declared are (none)");
  expect(errorOf({ allowed_tools: null }, "fork_join")).toContain("declared are every tool of the project");
});

test("declared tools are in the order of the profile, after those that every agent has", () => {
  const tool = (tool_name: string) => ({ tool_name, description: "", parameters: {} });
  const guests = ["docs__find", "docs__read", "files__read"].map(tool);
  const orderOf = (extra: object) =>
    toolNames(allowedTools(profile(extra), [tool("atlas"), webSearch], guests)).declared;
  expect(
    orderOf({ allowed_tools: ["web_search", "fork_join", "atlas"], allowed_internal_tools: ["ask_expert"] }),
  ).toEqual(["web_search", "fork_join", "atlas", "ask_expert"]);
  // A star stands for its server's tools, in the server's order; one that is named as well stands where it is named.
  expect(orderOf({ allowed_tools: ["docs__*", "submit_result", "docs__find", "atlas"] })).toEqual([
    "docs__read",
    "submit_result",
    "docs__find",
    "atlas",
  ]);
  expect(orderOf({ allowed_tools: null, allowed_internal_tools: ["submit_result", "fork_join"] })).toEqual([
    "atlas",
    "web_search",
    "docs__find",
    "docs__read",
    "files__read",
    "submit_result",
    "fork_join",
  ]);
});

// K15, case 177: what is not listed is refused when it is called, whatever was offered.
test("a call is checked against the list when it is executed", () => {
  expect(codeOf(findTool(profile({}), "web_search", webSearch))).toBe("auth_failed");
  expect(codeOf(findTool(profile({ allowed_tools: null }), "delegate_async", null))).toBe("auth_failed");
  expect(codeOf(findTool(profile({ allowed_tools: ["delegate_async"] }), "delegate_async", null))).toBe("found");
  expect(codeOf(findTool(profile({ allowed_tools: null }), "web_search", webSearch))).toBe("found");
  expect(codeOf(findTool(profile({}), "no_such_tool", null))).toBe("not_found");
  expect(codeOf(findTool(profile({ allowed_tools: ["gone"] }), "gone", null))).toBe("not_found");
  expect(codeOf(findTool(profile({ allowed_tools: ["ask_human"] }), "ask_human", null))).toBe("found");
});

test("tools of MCP servers are allowed by their names, or all of a server by a star", () => {
  const guests = ["docs__find", "docs__read", "files__read"].map((tool_name) => ({
    tool_name,
    description: "",
    parameters: {},
  }));
  const namesOf = (allowed_tools?: string[] | null) =>
    allowedTools(profile({ allowed_tools }), [webSearch], guests)
      .map((tool) => tool.tool_name)
      .filter((name) => name.includes("__"));
  expect(namesOf()).toEqual([]);
  expect(namesOf(null)).toEqual(["docs__find", "docs__read", "files__read"]);
  expect(namesOf(["docs__*"])).toEqual(["docs__find", "docs__read"]);
  expect(namesOf(["docs__read", "doc__*", "*", "docs*"])).toEqual(["docs__read"]);
  // No star gives what Switchyard brings itself.
  expect(codeOf(findTool(profile({ allowed_tools: ["fork__*", "__*"] }), "fork_join", null))).toBe("auth_failed");
});
