// Rules that route envelopes.
import { expect, test } from "vitest";
import type { Envelope } from "./envelope";
import { matchesEnvelope } from "./match-envelope";

const failed: Envelope = {
  payloadId: "22222222-2222-2222-2222-222222222222",
  kind: "verification",
  fromNodeId: "verifier",
  edgeId: "e",
  createdAt: "2026-01-13T00:01:00.000Z",
  status: { ok: false, code: "tests_failed" },
  structured: { tests: { failed: [{ name: "a/b" }] }, "x/y": 0 },
};

test.each([
  ["status.code", "tests_failed", true],
  ["status.code", "other", false],
  ["status.ok", false, true],
  ["status.ok", true, false],
  ["status.tests", "fail", false],
  ["/tests/failed/0/name", "a/b", true],
  ["/tests/failed/0", { name: "a/b" }, true],
  ["/x~1y", 0, true],
  ["/tests/failed/length", 1, false],
  ["/toString", undefined, false],
  ["/tests/none/deeper", null, false],
  ["tests", {}, false],
])("15: %s equals %j: %j", (at, equals, wanted) => {
  expect(matchesEnvelope({ at, equals }, failed)).toBe(wanted);
});
