// What a gate waits for, in words, and what is kept of a policy when its kind changes.
import { expect, test } from "vitest";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { fitPolicy, gateWords } from "./policy-words";

test.each<[JoinPolicy | undefined, string]>([
  [undefined, "waits for all"],
  [{ kind: "any" }, "waits for the first to deliver"],
  [{ kind: "any", count: "ended" }, "waits for the first to end"],
  [{ kind: "quorum", k: 2 }, "waits for 2 of 3 to deliver"],
  [{ kind: "quorum", k: 2, timeout_ms: 30_000 }, "waits for 2 of 3 to deliver, at most 30 s"],
  [{ kind: "quorum", k: 2, timeout_ms: 30_000, on_timeout: "wait" }, "waits for 2 of 3 to deliver"],
])("%j", (policy, words) => {
  expect(gateWords({ fail_fast: false, ...(policy && { policy }) }, 3)).toBe(words);
});

test("failing fast waits for all until one fails", () => {
  expect(gateWords({ fail_fast: true }, 3)).toBe("ends at the first failure");
});

test("fields that do not apply to the kind are dropped, and usual ones are not written", () => {
  expect(fitPolicy({ kind: "all", count: "ended", late: "run" })).toBeUndefined();
  expect(fitPolicy({ kind: "quorum" })).toEqual({ kind: "quorum", k: 2 });
  expect(fitPolicy({ kind: "any", k: 3, late: "stop", on_timeout: "fail" })).toEqual({ kind: "any" });
  expect(fitPolicy({ kind: "all", timeout_ms: 5, on_timeout: "emit_partial" })).toEqual({ kind: "all", timeout_ms: 5 });
});
