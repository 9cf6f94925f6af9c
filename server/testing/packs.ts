// Inputs of context packs, and a store in memory to build them from.
import { hash } from "node:crypto";
import { canonicalJson } from "@/server/contract/canonical-json";
import { BUILDER_VERSION, type BuildInput, type SnapshotFile } from "@/server/contract/context-pack/build-input";
import type { Envelope } from "@/server/contract/context-pack/envelope";
import type { ReadBlob, Redactor } from "@/server/kernel/packs/build/outcome";
import { deniedPath } from "@/server/kernel/redaction/denied-path";
import { redactText, redactValue } from "@/server/kernel/redaction/redact";
import { RULESET } from "@/server/kernel/redaction/ruleset";

export const redactor: Redactor = {
  ruleset: RULESET,
  text: redactText,
  value: redactValue,
  denied: deniedPath,
};

export const sha = (content: string | Uint8Array): string => hash("sha256", content);

export const buildInput = (over: Partial<BuildInput> = {}): BuildInput => ({
  builderVersion: BUILDER_VERSION,
  rulesetVersion: RULESET,
  estimator: "bytes4",
  run: { id: "run-1" },
  globalMode: "implementation",
  node: { id: "coder", objective: "Retry with backoff.", definitionOfDone: ["All tests pass"], turn: 1 },
  hits: [],
  events: [],
  watermark: null,
  envelopes: [],
  decisions: [],
  profile: "routine",
  now: "2026-01-13T10:00:00.000Z",
  ...over,
});

/** A document of an example workspace. */
export const docFile = (name: string): string => `docs/${name}.md`;

export type Tree = Record<string, string | { text: string; imports: string[] }>;

/** A snapshot of these files, and what reads them. */
export function stored(tree: Tree): {
  snapshot: { sha256: string; workspace: string };
  read: ReadBlob;
  blobs: Map<string, Uint8Array>;
} {
  const blobs = new Map<string, Uint8Array>();
  const put = (text: string): string => {
    const bytes = Buffer.from(text);
    blobs.set(sha(bytes), bytes);
    return sha(bytes);
  };
  const paths = Object.keys(tree).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const files = paths.map((path): SnapshotFile => {
    const given = tree[path] ?? "";
    const { text, imports } = typeof given === "string" ? { text: given, imports: undefined } : given;
    return { path, sha256: put(text), size: Buffer.byteLength(text), kind: "text", ...(imports && { imports }) };
  });
  const sha256 = put(canonicalJson({ files }));
  return { snapshot: { sha256, workspace: "app" }, read: (digest) => blobs.get(digest) ?? null, blobs };
}

/** 1 -> 00000000-0000-4000-8000-000000000001 */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export const envelope = (n: number, over: Partial<Envelope> = {}): Envelope => ({
  payloadId: uuid(n),
  kind: "message",
  fromNodeId: `node-${n}`,
  edgeId: `edge-${n}`,
  createdAt: "2026-01-13T10:00:00.000Z",
  status: { ok: true },
  ...over,
});
