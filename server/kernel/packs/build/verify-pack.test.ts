// Replay: the same input gives the same bytes anywhere, and what was altered or lost is named.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "@/server/contract/canonical-json";
import { BUILDER_VERSION, type BuildInput } from "@/server/contract/context-pack/build-input";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { buildInput, docFile, envelope, redactor, stored } from "@/server/testing/packs";
import { buildPack } from "./build-pack";
import { verifyPack } from "./verify-pack";

const store = stored({
  [docFile("PLAN")]: "# Retry\nwith backoff",
  "src/a.ts": { text: "retry()", imports: ["src/b.ts"] },
  "src/b.ts": "export {}",
});
const input: BuildInput = buildInput({
  snapshot: store.snapshot,
  hits: ["src/b.ts", "src/a.ts", "ä.ts", "z.ts"].map((one) => ({ path: one, score: 1 })),
  envelopes: [envelope(2), envelope(1), envelope(3, { createdAt: "2026-01-13T09:00:00+05:30" })],
  decisions: [
    { id: "D2", summary: "b" },
    { id: "D1", summary: "a" },
  ],
  events: [3, 1, 2].map((seq) => ({
    seq,
    kind: "error",
    ref: `artifact://logs/${seq}.txt`,
    type: "log",
    isFailure: true,
    files: ["src/b.ts", "src/a.ts"],
  })),
});
const outcome = buildPack({ input, read: store.read, redact: redactor });
if (!outcome.ok) throw new Error(outcome.message);
const { bytes, sidecar, sha256, used } = outcome;
const verify = (over: { bytes?: Uint8Array; sidecar?: Sidecar; input?: unknown; read?: typeof store.read } = {}) =>
  verifyPack({ bytes, sidecar, input, read: store.read, redact: redactor, ...over });

test("the stored pack is what its input gives, also after the input was stored as JSON", () => {
  expect(verify()).toEqual({ verdict: "same" });
  expect(verify({ input: JSON.parse(canonicalJson(input)) })).toEqual({ verdict: "same" });
});

test("49: shuffled lists give the same bytes", () => {
  const shuffled = {
    ...input,
    hits: input.hits.toReversed(),
    envelopes: input.envelopes.toReversed(),
    events: input.events.toReversed().map((event) => ({ ...event, files: event.files.toReversed() })),
    decisions: input.decisions.toReversed(),
  };
  expect(buildPack({ input: shuffled, read: store.read, redact: redactor })).toMatchObject({ sha256 });
});

test("49: so do another time zone and another locale", () => {
  const script = `
    const { buildPack } = await import("./server/kernel/packs/build/build-pack.ts");
    const { redactor } = await import("./server/testing/packs.ts");
    const { input, blobs } = JSON.parse(process.env.GIVEN);
    const read = (digest) => digest in blobs ? Buffer.from(blobs[digest], "base64") : null;
    console.log(new Date(0).getTimezoneOffset(), buildPack({ input, read, redact: redactor }).sha256);`;
  const blobs = Object.fromEntries(
    [...store.blobs].map(([digest, one]) => [digest, Buffer.from(one).toString("base64")]),
  );
  const said = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: path.resolve(import.meta.dirname, "../../../.."),
    env: {
      ...process.env,
      TZ: "Asia/Kathmandu",
      LC_ALL: "tr_TR.UTF-8",
      LANG: "tr_TR.UTF-8",
      GIVEN: JSON.stringify({ input, blobs }),
    },
  });
  expect(said.toString().trim()).toBe(`-330 ${sha256}`);
}, 60_000);

describe("51: other versions are told apart from an altered pack", () => {
  test("an older builder or other rules", () => {
    expect(verify({ sidecar: { ...sidecar, builderVersion: BUILDER_VERSION - 1 } })).toEqual({
      verdict: "replay_incompatible",
    });
    expect(verify({ sidecar: { ...sidecar, rulesetVersion: "0" } })).toEqual({ verdict: "replay_incompatible" });
    expect(verify({ input: { ...input, builderVersion: BUILDER_VERSION - 1 } })).toEqual({
      verdict: "replay_incompatible",
    });
    expect(
      buildPack({ input: { ...input, builderVersion: BUILDER_VERSION - 1 }, read: store.read, redact: redactor }),
    ).toMatchObject({
      code: "replay_incompatible",
    });
  });
  test("one byte", () => {
    const json = Buffer.from(bytes).toString().replace("Retry with", "Retry With");
    expect(verify({ bytes: Buffer.from(json) })).toEqual({ verdict: "digest_mismatch", pointer: "/goal" });
    const files = Buffer.from(bytes).toString().replace("with backoff", "with Backoff");
    expect(verify({ bytes: Buffer.from(files) })).toEqual({
      verdict: "digest_mismatch",
      pointer: "/docRefs/0/excerpt",
    });
    expect(verify({ bytes: Buffer.from("{") })).toEqual({ verdict: "digest_mismatch", pointer: "" });
    const older = { ...sidecar, builderVersion: BUILDER_VERSION - 1 };
    expect(verify({ bytes: Buffer.from(json), sidecar: older })).toEqual({ verdict: "digest_mismatch" });
  });
  test("another input, or a sidecar with another digest", () => {
    const other = { ...input, node: { ...input.node, definitionOfDone: ["Another"] } };
    expect(verify({ input: other })).toEqual({ verdict: "digest_mismatch", pointer: "/definitionOfDone/0" });
    expect(verify({ input: {} })).toEqual({ verdict: "digest_mismatch", pointer: "" });
    expect(verify({ sidecar: { ...sidecar, sha256: "0".repeat(64) } })).toEqual({
      verdict: "digest_mismatch",
      pointer: "",
    });
  });
});

describe("sources", () => {
  const without =
    (...lost: string[]) =>
    (digest: string) =>
      lost.includes(digest) ? null : store.read(digest);
  test("all that are missing are named", () => {
    const [snapshot, ...files] = [
      input.snapshot?.sha256 ?? "",
      ...used.filter((one) => one !== input.snapshot?.sha256),
    ];
    expect(files).toHaveLength(3);
    expect(verify({ read: without(snapshot) })).toEqual({ verdict: "source_missing", missing: [snapshot] });
    expect(verify({ read: without(...files) })).toEqual({ verdict: "source_missing", missing: files.toSorted() });
  });
  test("altered bytes", () => {
    const [digest = ""] = used;
    const read = (one: string) => (one === digest ? Buffer.from("other") : store.read(one));
    expect(verify({ read })).toEqual({ verdict: "source_tampered", missing: [digest] });
  });
  test("only what was read is needed", () => {
    expect(used).toContain(input.snapshot?.sha256);
    expect(verify({ read: (digest) => (used.includes(digest) ? store.read(digest) : null) })).toEqual({
      verdict: "same",
    });
  });
});
