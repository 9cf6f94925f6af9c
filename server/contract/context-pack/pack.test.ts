// The formats as the shared cases state them: closed where they are closed, open where they are open.
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { sharedFiles } from "@/server/testing/shared-data";
import { canonicalJson } from "../canonical-json";
import { Envelope } from "./envelope";
import { momentKey } from "./forms";
import { JoinGate } from "./join-gate";
import { ContextPack } from "./pack";

const samples = new Map(
  sharedFiles("context-pack", ".json").map(({ name, path }) => [name, JSON.parse(fs.readFileSync(path, "utf8"))]),
);

test.skipIf(samples.size === 0)("1: the samples validate, and reading one changes no byte of it", () => {
  const shapes = {
    "context-pack.sample.json": ContextPack,
    "edge-payload.sample.json": Envelope,
    "join-gate.sample.json": JoinGate,
  };
  expect([...samples.keys()]).toEqual(Object.keys(shapes));
  for (const [name, shape] of Object.entries(shapes))
    expect(canonicalJson(shape.parse(samples.get(name)))).toBe(canonicalJson(samples.get(name)));
});

const minimal = {
  packId: "11111111-1111-1111-1111-111111111111",
  goal: "g",
  definitionOfDone: ["a"],
  globalMode: "planning",
  docsRoot: "/docs",
  docRefs: [],
};
const sent = {
  payloadId: "22222222-2222-2222-2222-222222222222",
  kind: "verification",
  fromNodeId: "verifier.tests",
  edgeId: "edge.verifier_to_coder",
  createdAt: "2026-01-13T00:01:00.000Z",
  status: { ok: false, code: "tests_failed" },
};
const isPack = (over: object): boolean => ContextPack.safeParse({ ...minimal, ...over }).success;
const isEnvelope = (over: object): boolean => Envelope.safeParse({ ...sent, ...over }).success;
const artifact = { ref: "artifact://logs/a.txt", type: "log" };

describe("a pack", () => {
  test.each<[string, object, boolean]>([
    ["as it is", {}, true],
    ["an empty goal", { goal: "" }, true],
    ["3: upper case", { globalMode: "IMPLEMENTATION" }, false],
    ["5: mime of an artifact", { artifacts: [{ ...artifact, mime: "text/plain" }] }, false],
    ["7: pack-1", { packId: "pack-1" }, false],
    ["9: a decision without a summary", { decisions: [{ id: "D1" }] }, false],
    ["9: a file with a summary", { relevantFiles: [{ path: "a", summary: "x" }] }, false],
    ["11: a mode of workspace", { workspace: { mode: "tmp" } }, false],
    ["11: open constraints", { constraints: { anything: [1] } }, true],
    ["constraints that are a list", { constraints: [] }, false],
    ["an unknown member", { summary: "x" }, false],
    ["a digest with its name", { artifacts: [{ ...artifact, sha256: `sha256:${"a".repeat(64)}` }] }, true],
    ["a digest of another length", { artifacts: [{ ...artifact, sha256: "abc" }] }, false],
    ["the 30th of February", { createdAt: "2026-02-30T00:00:00Z" }, false],
    ["a day without a time", { createdAt: "2026-02-20" }, false],
    ["a leap day", { createdAt: "2028-02-29T23:59:59.5+02:00" }, true],
  ])("%s", (_what, over, wanted) => {
    expect(isPack(over)).toBe(wanted);
  });
});

describe("an envelope", () => {
  test.each<[string, object, boolean]>([
    ["as it is", {}, true],
    ["5: mime of an artifact", { artifacts: [{ ...artifact, mime: "text/plain" }] }, true],
    ["13: handoff", { kind: "handoff" }, false],
    ["15: another member of status", { status: { ok: false, tests: "fail" } }, false],
    ["19: a tick with its body outside", { kind: "tick", objective: "x" }, false],
    ["19: a tick with its body inside", { kind: "tick", structured: { objective: "x", delta: [] } }, true],
    ["provenance as a list", { provenance: [] }, false],
    ["a receiver", { toNodeId: "n" }, false],
    ["a pack of another type", { contextPackRef: { ...artifact, type: "log" } }, false],
    ["a pack", { contextPackRef: { ref: "artifact://context/p.json", type: "context_pack" } }, true],
  ])("%s", (_what, over, wanted) => {
    expect(isEnvelope(over)).toBe(wanted);
  });
});

test("moments sort by time, not by how they are written", () => {
  const sorted = ["2026-01-13T10:30:00+01:00", "2026-01-13T10:00:00Z", "2026-01-13T10:00:00.000000001Z"];
  expect(sorted.toReversed().sort((a, b) => (momentKey(a) < momentKey(b) ? -1 : 1))).toEqual(sorted);
  expect(momentKey("2026-01-13T10:00:00.5Z")).toBe(momentKey("2026-01-13T11:00:00.500+01:00"));
});
