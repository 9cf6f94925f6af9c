import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { type Tool, ToolBody } from "@/server/contract/tool";
import type { ToolAnswer } from "./inline-tool";
import { allowedTools, findTool } from "./inline-tools";

const profile = (extra: object) => ProfileBody.parse({ name: "P", ...extra });
const codeOf = (found: object) => ("refusal" in found ? (found.refusal as ToolAnswer).error?.code : "found");
const webSearch: Tool = {
  ...ToolBody.parse({ tool_name: "web_search", description: "Searches." }),
  project_id: "p",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

test("thinking and asking for capabilities is everybody's, the rest is listed", () => {
  const namesOf = (extra: object) => allowedTools(profile(extra), [webSearch]).map((tool) => tool.tool_name);
  expect(namesOf({})).toEqual(["think", "list_capabilities"]);
  expect(namesOf({ allowed_tools: ["delegate_async"], allowed_internal_tools: ["submit_result"] })).toEqual([
    "think",
    "list_capabilities",
    "delegate_async",
    "submit_result",
  ]);
  // Null = all of the project's tools, not the power to delegate.
  expect(namesOf({ allowed_tools: null })).toEqual(["think", "list_capabilities", "web_search"]);
});

// K15, case 177: what is not listed is refused when it is called, whatever was offered.
test("a call is checked against the list when it is executed", () => {
  expect(codeOf(findTool(profile({}), "web_search", webSearch))).toBe("auth_failed");
  expect(codeOf(findTool(profile({ allowed_tools: null }), "delegate_async", null))).toBe("auth_failed");
  expect(codeOf(findTool(profile({ allowed_tools: ["delegate_async"] }), "delegate_async", null))).toBe("found");
  expect(codeOf(findTool(profile({ allowed_tools: null }), "web_search", webSearch))).toBe("found");
  expect(codeOf(findTool(profile({}), "no_such_tool", null))).toBe("not_found");
  expect(codeOf(findTool(profile({ allowed_tools: ["gone"] }), "gone", null))).toBe("not_found");
  expect(codeOf(findTool(profile({ allowed_tools: ["ask_human"] }), "ask_human", null))).toBe("not_available");
});
