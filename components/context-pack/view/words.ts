// Words about packs: what a verification found, what inputs disagreed about, what the builder warned of. Pure.
import type { PackConflict } from "@/server/contract/context-pack/sidecar";
import type { PackVerification } from "@/server/contract/context-pack/verification";

export type Verdict = { title: string; cause: string; remedy?: string };

export function verdictWords({ verdict, pointer, missing = [] }: PackVerification): Verdict {
  const some = missing.map((sha256) => sha256.slice(0, 12)).slice(0, 3);
  const named = `${some.join(", ")}${missing.length > some.length ? ` and ${missing.length - some.length} more` : ""}`;
  switch (verdict) {
    case "same":
      return { title: "Rebuilt, same bytes", cause: "Its stored input gives these bytes again." };
    case "digest_mismatch":
      return {
        title: "Rebuilt, other bytes",
        cause: `First difference: ${pointer === undefined || pointer === "" ? "the pack as a whole" : pointer}.`,
        remedy: "Restore the stored pack from a backup, or build a new one.",
      };
    case "replay_incompatible":
      return {
        title: "Built by another version",
        cause: "The builder or the redaction rules have changed since, so the bytes are not compared.",
        remedy: "Build a new pack to use the rules of today.",
      };
    case "source_missing":
      return {
        title: "A source is missing",
        cause: `Not stored: ${named}.`,
        remedy: "Restore it from a backup. The pack itself can be used.",
      };
    case "source_tampered":
      return {
        title: "A source was changed",
        cause: `Its bytes no longer have the digest ${named}.`,
        remedy: "Restore it from a backup before you trust this pack.",
      };
  }
}

const conflicts: Record<PackConflict["code"], string> = {
  file_hash_conflict: "Two versions of a file",
  decision_conflict: "Two decisions under one id",
  constraint_conflict: "Two values of a constraint",
  tool_policy_conflict: "Two tool policies",
  repo_fact_conflict: "Two values of a fact",
  workspace_conflict: "Two workspaces",
  output_schema_conflict: "Two output schemas",
  payload_conflict: "Two payloads under one id",
};
export const conflictWords = ({ code }: PackConflict): string => conflicts[code];

/** "missing_doc:/docs/PLAN.md" -> what it is, and of what. */
export function warningWords(warning: string): { what: string; of: string } {
  const at = warning.indexOf(":");
  const [code, of] = at === -1 ? [warning, ""] : [warning.slice(0, at), warning.slice(at + 1)];
  const words = code.replaceAll("_", " ");
  return { what: `${words.charAt(0).toUpperCase()}${words.slice(1)}`, of };
}
