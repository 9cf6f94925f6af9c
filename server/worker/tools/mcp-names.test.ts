import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { mcpNames } from "./mcp-names";

test("a tool's name consists of its server and its own name", () => {
  expect([...mcpNames("files", ["read", "list-all"])]).toEqual([
    ["files__read", "read"],
    ["files__list-all", "list-all"],
  ]);
});

test("names use the characters that providers accept, at most 64 of them, and no two are the same", () => {
  const tools = ["a.b", "a b", "ä", "x".repeat(80), `${"x".repeat(80)}y`, "last"];
  const names = [...mcpNames("files", tools)];
  expect(names.map(([, tool]) => tool)).toEqual(tools);
  for (const [name] of names) expect(name).toMatch(/^files__[A-Za-z0-9_-]{1,57}$/);
  expect(new Set(names.map(([name]) => name)).size).toBe(tools.length);
  expect([...mcpNames("files", tools)]).toEqual(names);
});

test("a tool whose name equals another one's hashed name keeps its own, and so does the other", () => {
  const [first = ""] = mcpNames("files", ["a.b", "a b"]).keys();
  const tools = ["a.b", "a b", first.slice("files__".length)];
  const names = mcpNames("files", tools);
  expect([...names.values()]).toEqual(tools);
  expect(names.get(first)).toBe(tools[2]);
});

test("two tools whose hashes begin alike have different names, the same in any order", () => {
  const [one, other] = alike();
  const names = mcpNames("files", [one, other, "read"]);
  expect(names.size).toBe(3);
  expect(new Map(mcpNames("files", ["read", other, one]))).toEqual(names);
  for (const name of names.keys()) expect(name.length).toBeLessThanOrEqual(64);
});

test("a tool that is listed twice has one name", () => {
  expect([...mcpNames("files", ["read", "read"])]).toEqual([["files__read", "read"]]);
});

test("two servers never share a tool name", () => {
  const tools = ["b", "_b", "b_"];
  const all = ["a", "a_", "a_b"].flatMap((server) => [...mcpNames(server, tools).keys()]);
  expect(new Set(all).size).toBe(all.length);
});

/** Two names that are equal without their dots, and whose digests begin with the same eight characters. */
function alike(): [string, string] {
  const seen = new Map<string, string>();
  for (let n = 0; ; n++) {
    const name = [...n.toString(2).padStart(24, "0")].map((bit) => `x${bit === "0" ? "." : " "}`).join("");
    const begin = createHash("sha256").update(name).digest("hex").slice(0, 8);
    const other = seen.get(begin);
    if (other !== undefined) return [other, name];
    seen.set(begin, name);
  }
}
