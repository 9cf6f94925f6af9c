import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { allowedTools, findTool } from "./inline-tools";

const profile = (extra: object) => ProfileBody.parse({ name: "P", ...extra });
const codeOf = (found: object) => ("error" in found ? (found.error as { code: string }).code : "found");

test("thinking and asking for capabilities is everybody's, the rest is listed", () => {
  const namesOf = (extra: object) => allowedTools(profile(extra)).map((tool) => tool.tool_name);
  expect(namesOf({})).toEqual(["think", "list_capabilities"]);
  expect(namesOf({ allowed_tools: ["delegate_async"], allowed_internal_tools: ["submit_result"] })).toEqual([
    "think",
    "list_capabilities",
    "delegate_async",
    "submit_result",
  ]);
  // Null = all of the project's tools, not the power to delegate.
  expect(namesOf({ allowed_tools: null })).toEqual(["think", "list_capabilities"]);
});

// K15, case 177: what is not listed is refused when it is called, whatever was offered.
test("a call is checked against the list when it is executed", () => {
  expect(codeOf(findTool(profile({}), "web_search", true))).toBe("auth_failed");
  expect(codeOf(findTool(profile({ allowed_tools: null }), "delegate_async", false))).toBe("auth_failed");
  expect(codeOf(findTool(profile({ allowed_tools: ["delegate_async"] }), "delegate_async", false))).toBe("found");
  expect(codeOf(findTool(profile({}), "no_such_tool", false))).toBe("not_found");
  expect(codeOf(findTool(profile({ allowed_tools: ["gone"] }), "gone", false))).toBe("not_found");
});

test("tools that would suspend say that they come later", () => {
  const all = profile({ allowed_tools: ["web_search", "fork_join", "ask_expert"] });
  for (const name of ["web_search", "fork_join", "ask_expert"])
    expect(codeOf(findTool(all, name, name === "web_search"))).toBe("not_available");
  expect(codeOf(findTool(profile({ allowed_tools: null }), "web_search", true))).toBe("not_available");
});
