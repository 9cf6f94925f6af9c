import { expect, test } from "vitest";
import { mcpNames } from "./mcp-names";

test("a tool is called by its server and its name", () => {
  expect([...mcpNames("files", ["read", "list-all"])]).toEqual([
    ["files__read", "read"],
    ["files__list-all", "list-all"],
  ]);
});

test("names are of the letters that providers take, 64 at most, and no two are alike", () => {
  const tools = ["a.b", "a b", "ä", "x".repeat(80), `${"x".repeat(80)}y`, "last"];
  const names = [...mcpNames("files", tools)];
  expect(names.map(([, tool]) => tool)).toEqual(tools);
  for (const [name] of names) expect(name).toMatch(/^files__[A-Za-z0-9_-]{1,57}$/);
  expect(new Set(names.map(([name]) => name)).size).toBe(tools.length);
  expect([...mcpNames("files", tools)]).toEqual(names);
});
