import { expect, test } from "vitest";
import { parseAsTarget, parseTarget } from "./launch-url";

test("a target is a strategy and a name; a bare name is a profile", () => {
  expect(parseTarget("new:Associate Search")).toEqual({ target_strategy: "new", target_ref: "Associate Search" });
  expect(parseTarget("clone:agent_1")).toEqual({ target_strategy: "clone", target_ref: "agent_1" });
  expect(parseTarget("Planner")).toEqual({ target_strategy: "new", target_ref: "Planner" });
  expect(parseTarget("import:WebSurfer")).toEqual({ target_strategy: "new", target_ref: "import:WebSurfer" });
  expect(parseTarget("new:import:WebSurfer")).toEqual({ target_strategy: "new", target_ref: "import:WebSurfer" });
  expect(parseTarget("reuse:")).toBeNull();
  expect(parseTarget("  ")).toBeNull();
});

test("what is written into the URL is read back", () => {
  for (const text of ["new:import:WebSurfer", "reuse:a_b", "clone:x"]) {
    const target = parseAsTarget.parse(text);
    expect(target && parseAsTarget.serialize(target)).toBe(text);
  }
});
