// Steps 7 to 10, which building and merging share: redact, trim, scan again, validate, hash.
import { canonicalJson } from "@/server/contract/canonical-json";
import { BUILDER_VERSION } from "@/server/contract/context-pack/build-input";
import { pointerPart } from "@/server/contract/context-pack/diff-packs";
import { ContextPack } from "@/server/contract/context-pack/pack";
import type { Estimator, PackProfile, PackRedaction, Sidecar } from "@/server/contract/context-pack/sidecar";
import { shapeFault } from "@/server/contract/shape-fault";
import { assemble, type Draft, sourcesOf } from "./draft";
import { digestOf } from "./ids";
import { byBytes } from "./order";
import { BuildFault, type BuildOutcome, type Redactor } from "./outcome";
import { redactDraft, residualSecrets } from "./redact-draft";
import { trimToFit } from "./trim";

export type Sealing = { profile: PackProfile; estimator: Estimator; redact: Redactor; used: string[] };

export function seal(draft: Draft, { profile, estimator, redact, used }: Sealing): BuildOutcome {
  const fitting = trimToFit(redactDraft(draft, redact), { profile, estimator, redact });
  const pack = withoutGaps(assemble(fitting.draft));
  refuseResidual(pack, redact);
  const { error } = ContextPack.safeParse(pack);
  if (error) {
    const { path, message } = shapeFault(error);
    throw new BuildFault("invalid_input", `${path}: ${message}`, { field: path });
  }
  const json = canonicalJson(pack);
  const sha256 = digestOf(json);
  const sidecar: Sidecar = {
    packId: pack.packId,
    sha256,
    builderVersion: BUILDER_VERSION,
    rulesetVersion: redact.ruleset,
    estimator,
    profile,
    estimate: fitting.estimate,
    sources: sourcesOf(fitting.draft).map((source) => ({ ...source, ref: redact.text(source.ref).text })),
    trimmed: fitting.trimmed,
    redactions: redactionsIn(pack),
    conflicts: draft.conflicts.map((one) => redact.value(one).value),
    warnings: [...new Set(draft.warnings.map((one) => redact.text(one).text))].sort(byBytes),
  };
  const { found, limit } = fitting;
  return { ok: true, pack, bytes: Buffer.from(json), sha256, sidecar, used, found, limit };
}

/** Members without a value are none: equal to what comes back from the stored bytes. */
const withoutGaps = (pack: ContextPack): ContextPack => JSON.parse(canonicalJson(pack)) as ContextPack;

function refuseResidual(pack: ContextPack, redact: Redactor): void {
  const findings = residualSecrets(pack, redact);
  const [first] = findings;
  if (first)
    throw new BuildFault(
      "redaction_failed",
      `${first.pointer}: still looks like a secret (${first.kind}) after redaction. Remove it from the source`,
      { findings },
    );
}

const PLACEHOLDER = /\[REDACTED:([a-z_]{1,40})\]/g;

/** Counted in the finished pack, so that each pointer holds. Placeholders that a source already had are counted with them. */
function redactionsIn(value: unknown, pointer = ""): PackRedaction[] {
  if (typeof value === "string") return countKinds(value, pointer);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(Array.isArray(value) ? [] : countKinds(key, pointer)),
    ...redactionsIn(member, `${pointer}/${pointerPart(key)}`),
  ]);
}

function countKinds(text: string, pointer: string): PackRedaction[] {
  const counts = new Map<string, number>();
  for (const [, kind = ""] of text.matchAll(PLACEHOLDER)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ pointer, kind, count }));
}
