// How a stored pack is listed.
import { expect, test } from "vitest";
import { packCode } from "./pack-code";
import { PackRecord } from "./record";

const sha256 = `31d0${"a".repeat(60)}`;

test("a pack is called by the first digits of its digest", () => {
  expect(packCode(sha256)).toBe("P-31D0");
});

test("a record says what a list shows", () => {
  const counts = { whole: 3, shortened: 1, left_out: 0, redactions: 2, conflicts: 0, warnings: 1 };
  const record = {
    pack_id: "11111111-1111-1111-1111-111111111111",
    code: packCode(sha256),
    title: "Retry with backoff",
    sha256,
    sidecar_sha256: sha256,
    input_sha256: sha256,
    estimate: 4_200,
    limit: 6_000,
    found: 9_000,
    profile: "routine",
    globalMode: "implementation",
    created_at: "2026-01-13T10:00:00.000Z",
    created_by: "human_local",
    artifact_ref: "artifact://context/pack-11111111.json",
    counts,
    kind: "built",
  };
  expect(PackRecord.parse(record)).toEqual(record);
  expect(PackRecord.safeParse({ ...record, counts: { ...counts, whole: -1 } }).success).toBe(false);
});
