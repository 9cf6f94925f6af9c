// What may be given as `context_pack`.
import { describe, expect, test } from "vitest";
import { shapeFault } from "../shape-fault";
import { ContextPackRequest, type ContextPackRequestInput, PackToBuild } from "./request";

const fault = (shape: typeof PackToBuild, given: unknown): string => {
  const { error } = shape.safeParse(given);
  if (!error) return "accepted";
  const { path, message } = shapeFault(error);
  return `${path}: ${message}`;
};

describe("a request", () => {
  test("names an existing pack, or says what to build", () => {
    expect(ContextPackRequest.parse({ ref: "artifact://context/pack-1.json" })).toEqual({
      ref: "artifact://context/pack-1.json",
    });
    expect(ContextPackRequest.parse({ pack_id: "11111111-1111-1111-1111-111111111111" })).toHaveProperty("pack_id");
    const bare: ContextPackRequestInput = { goal: "g" };
    expect(ContextPackRequest.parse(bare)).toEqual({ goal: "g", mode: "implementation", profile: "routine" });
    expect(ContextPackRequest.safeParse({ goal: "g", ref: "artifact://context/a.json" }).success).toBe(false);
    expect(ContextPackRequest.safeParse({ ref: "artifact://context/../a.json" }).success).toBe(false);
    expect(ContextPackRequest.safeParse({}).success).toBe(false);
  });
  test("600 characters of goal, whatever they are", () => {
    expect(fault(PackToBuild, { goal: "🙂".repeat(600) })).toBe("accepted");
    expect(fault(PackToBuild, { goal: "a".repeat(601) })).toContain("goal: is longer than 600 characters");
    expect(fault(PackToBuild, { goal: "" })).toContain("goal: is empty");
  });
  test("expanded needs a reason", () => {
    expect(fault(PackToBuild, { goal: "g", profile: "expanded" })).toContain("reason: is missing");
    expect(fault(PackToBuild, { goal: "g", profile: "expanded", reason: "large_refactor" })).toBe("accepted");
  });
});
