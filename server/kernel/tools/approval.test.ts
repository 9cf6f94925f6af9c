import { expect, test } from "vitest";
import { needsApproval } from "./approval";

const own = (tool_name: "fork_join" | "ask_human" | "think") => ({ own: { tool_name } });
const external = (tool_name: string, options = {}) => ({ external: { tool_name, options } });

test.each([
  [[], own("fork_join"), false],
  [["fork_join"], own("fork_join"), true],
  [["fork_join"], external("web_search"), false],
  [["web_search"], external("web_search"), true],
  [["files__*"], external("files__write"), true],
  [["files__*"], external("filesystem"), false],
  [["*"], own("think"), true],
  [["*", "ask_human"], own("ask_human"), false],
  [undefined, external("pay", { requires_approval: true }), true],
  [undefined, external("pay", { requires_approval: "yes" }), true],
  [undefined, external("pay", { requires_approval: false }), false],
  [undefined, external("pay"), false],
])("requires_approval: %j, %j: %s", (requires_approval, tool, needs) => {
  expect(needsApproval({ requires_approval }, tool)).toBe(needs);
});
