// The rules of a join policy, by example.
import { expect, test } from "vitest";
import { JoinPolicy } from "./join-policy";
import { keptPolicy, neededOf, policyMisfit } from "./join-rules";

const faultOf = (given: unknown) => {
  const read = JoinPolicy.safeParse(given);
  return read.success ? null : `${read.error.issues[0]?.path.join(".")}: ${read.error.issues[0]?.message}`;
};

test.each([
  { kind: "all" },
  { kind: "all", timeout_ms: 1, on_timeout: "fail", late: "run" },
  { kind: "any" },
  { kind: "any", count: "ended", late: "run" },
  { kind: "quorum", k: 2, count: "delivered", timeout_ms: 60_000, on_timeout: "wait" },
])("%j is a policy", (policy) => {
  expect(faultOf(policy)).toBeNull();
});

test.each([
  [{}, "kind: "],
  [{ kind: "most" }, "kind: "],
  [{ kind: "quorum" }, "k: a quorum needs k"],
  [{ kind: "quorum", k: 0 }, "k: "],
  [{ kind: "quorum", k: 1.5 }, "k: give a whole number of tasks"],
  [{ kind: "any", k: 1 }, "k: leave k out: any counts by itself"],
  [{ kind: "all", count: "ended" }, "count: leave count out"],
  [{ kind: "any", on_timeout: "fail" }, "on_timeout: give timeout_ms with it"],
  [{ kind: "any", timeout_ms: 0 }, "timeout_ms: "],
  [{ kind: "any", more: 1 }, ": "],
])("%j is none", (policy, fault) => {
  expect(faultOf(policy)).toContain(fault);
});

test("it fits its batch", () => {
  const batch = { tasks: 3, fail_fast: false, deadline_ms: 1_000 };
  expect(policyMisfit({ kind: "quorum", k: 3, timeout_ms: 1_000 }, batch)).toBeNull();
  expect(policyMisfit({ kind: "quorum", k: 4 }, batch)).toMatchObject({ path: "policy.k" });
  expect(policyMisfit({ kind: "any", timeout_ms: 1_001 }, batch)).toMatchObject({ path: "policy.timeout_ms" });
  expect(policyMisfit({ kind: "any", timeout_ms: 1_001 }, { ...batch, deadline_ms: null })).toBeNull();
  expect(policyMisfit({ kind: "any" }, { ...batch, fail_fast: true })).toMatchObject({ path: "fail_fast" });
  expect(policyMisfit({ kind: "all", timeout_ms: 5 }, { ...batch, fail_fast: true })).toBeNull();
});

test("a policy that says what holds anyway is not kept, and how many arrivals close the gate", () => {
  expect(keptPolicy({ kind: "all" })).toBeUndefined();
  expect(keptPolicy({ kind: "all", late: "run" })).toBeUndefined();
  expect(keptPolicy({ kind: "all", timeout_ms: 5 })).toMatchObject({ timeout_ms: 5 });
  expect(neededOf({ kind: "all" }, 4)).toBe(4);
  expect(neededOf({ kind: "any" }, 4)).toBe(1);
  expect(neededOf({ kind: "quorum", k: 3 }, 4)).toBe(3);
});
