// What building a pack answers, and what it is given to redact with. The build touches neither clock nor disk, so all of it is
// passed in.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";

export type BuildFaultCode =
  | "invalid_input"
  | "budget_unsatisfiable"
  | "redaction_failed"
  | "replay_incompatible"
  | "source_missing"
  | "source_tampered"
  | "artifact_conflict"
  | "merge_mismatch";

export type BuildOutcome =
  | {
      ok: true;
      pack: ContextPack;
      /** The canonical JSON. */
      bytes: Uint8Array;
      sha256: string;
      sidecar: Sidecar;
      /** Digests of what was read: a replay needs them again. */
      used: string[];
      /** Tokens before trimming. */
      found: number;
      limit: number;
    }
  | { ok: false; code: BuildFaultCode; message: string; detail: Record<string, unknown> };

/** The redaction engine. */
export type Redactor = {
  /** Version of its rules. */
  ruleset: string;
  text(text: string): { text: string; kinds: string[] };
  value<T>(value: T): { value: T; findings: { kind: string; pointer: string }[] };
  /** Files that hold secrets by their name: listed, never read. */
  denied(path: string): boolean;
};

/** Bytes by digest; null = not stored. */
export type ReadBlob = (sha256: string) => Uint8Array | null;

/** Ends a build. Only the entrances catch it and answer it as a value. */
export class BuildFault extends Error {
  constructor(
    readonly code: BuildFaultCode,
    message: string,
    readonly detail: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "BuildFault";
  }
}

/** A refusal names members and references of the input, which may be secrets too. */
export function settle(build: () => BuildOutcome, redact: Redactor): BuildOutcome {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    const { code, message, detail } = error;
    return { ok: false, code, message: redact.text(message).text, detail: redact.value(detail).value };
  }
}
