// The manifest of a run bundle: what the file is, what it has, and the digest of every part, so that a part that was changed on the
// way is refused by its name.
import * as z from "zod";

export const BUNDLE_FORMAT = "switchyard-run";
export const BUNDLE_VERSION = 2;
export const MANIFEST = "manifest.json";

/** What version 2 added. */
const ADDED_PARTS = [
  "identity_edges.jsonl",
  "alarm_mutes.jsonl",
  "plan_runs.jsonl",
  "plan_nodes.jsonl",
  "plan_edits.jsonl",
] as const;

/** Every bundle has all of these, in this order; artifacts follow, each under the digest of its bytes. */
export const BUNDLE_PARTS = [
  "run.json",
  "turns.jsonl",
  "steps.jsonl",
  "requests.jsonl",
  "edges.jsonl",
  "boxes.jsonl",
  "cards.jsonl",
  "agents.jsonl",
  "profiles.jsonl",
  "tools.jsonl",
  "batches.jsonl",
  "env.jsonl",
  "human_requests.jsonl",
  "alarms.jsonl",
  "marks.jsonl",
  "artifacts/files.jsonl",
  "artifacts/names.jsonl",
  "artifacts/packs.jsonl",
  ...ADDED_PARTS,
  "notes.json",
] as const;
export type BundlePart = (typeof BUNDLE_PARTS)[number];

/** What a bundle of a version has. */
export const partsOf = (version: 1 | typeof BUNDLE_VERSION): readonly BundlePart[] =>
  version === BUNDLE_VERSION
    ? BUNDLE_PARTS
    : BUNDLE_PARTS.filter((part) => !(ADDED_PARTS as readonly string[]).includes(part));

const Digest = z.string().regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits");
const Time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, "a time such as 2026-01-31T08:00:00.000000Z");

export const BundleManifest = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  /** 1 lacks the parts that version 2 added. */
  version: z.union([z.literal(1), z.literal(BUNDLE_VERSION)]),
  /** When the run last changed, so that the same run is the same file whenever it is exported. */
  exported_at: Time,
  /** What made the run, before any import. */
  source: z.enum(["launch", "import", "demo"]),
  is_redacted: z.boolean(),
  root_turn_id: z.string(),
  /** Lines of each part. */
  counts: z.record(z.string(), z.int().min(0)),
  sha256: z.record(z.string(), Digest),
});
export type BundleManifest = z.infer<typeof BundleManifest>;

/** What the export could not take along, or did not. */
export const BundleNote = z.strictObject({
  code: z.string().max(64),
  count: z.int().min(1),
  text: z.string().max(1_000),
});
export type BundleNote = z.infer<typeof BundleNote>;

/** Of an unpacked bundle: what a hostile one could cost. */
export const BUNDLE_LIMITS = {
  bytesMax: 268_435_456,
  linesMax: 1_000_000,
  /** Of one line, which is read at once. As a value it may take thirty times that. */
  lineBytesMax: 16_777_216,
  /** A request with its pictures. */
  requestBytesMax: 33_554_432,
  ratioMax: 100,
  /** A small file may well compress better than that: little is lost by reading it. */
  ratioFreeBytes: 1_048_576,
};
