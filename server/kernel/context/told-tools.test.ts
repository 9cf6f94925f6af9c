// A dry run names the tools that the turn will be offered: two storeys, one list.
import { expect, test } from "vitest";
import { ProfileBody } from "@/server/contract/profile";
import { internalTools, type Tool, ToolBody } from "@/server/contract/tool";
import { allowedTools, toolNames } from "../tools/inline-tools";
import { toldTools } from "./told-tools";

const registered = ["a_tool", "web_search"].map(
  (tool_name): Tool => ({ ...ToolBody.parse({ tool_name }), project_id: "p", created_at: "", updated_at: "" }),
);

test.each([
  {},
  { allowed_tools: null },
  { allowed_tools: ["web_search", "fork_join", "gone"], allowed_internal_tools: ["submit_result", "think"] },
  { allowed_tools: [...internalTools] },
  { allowed_tools: null, allowed_internal_tools: ["ask_human"], denied_tools: ["think", "a_tool", "ask_human"] },
])("what %j is told before is what it is told then", (extra) => {
  const profile = ProfileBody.parse({ name: "P", ...extra });
  const names = registered.map((tool) => tool.tool_name);
  expect(toldTools(profile, names)).toEqual(toolNames(allowedTools(profile, registered)));
});
