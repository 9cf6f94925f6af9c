// The open objects of merged packs. The stricter value of a rule wins; where neither is stricter, the first, and the conflict is
// noted by key: its values stay out of the sidecar.
import type { OpenObject } from "@/server/contract/context-pack/forms";
import type { ContextPack, PackWorkspace } from "@/server/contract/context-pack/pack";
import type { PackConflict } from "@/server/contract/context-pack/sidecar";
import { approvalModes, toolPolicyFault } from "@/server/contract/context-pack/tool-policy";
import { sameJson } from "@/server/contract/same-json";
import type { Merging } from "./merging";
import { invalid } from "./normalise";

type Json = OpenObject[string];
type Field = "repoFacts" | "constraints" | "toolPolicy";
/** Undefined = they clash. */
type Rule = (key: string, a: Json, b: Json) => Json | undefined;

export const mergeFacts = (merging: Merging): OpenObject | undefined =>
  mergeKeys(merging, "repoFacts", "repo_fact_conflict", () => undefined);

/** A restriction of one input holds for all. */
export const mergeConstraints = (merging: Merging): OpenObject | undefined =>
  mergeKeys(merging, "constraints", "constraint_conflict", (_, a, b) => {
    if (typeof a === "boolean" && typeof b === "boolean") return a || b;
    return typeof a === "number" && typeof b === "number" ? Math.min(a, b) : undefined;
  });

export function mergeToolPolicy(merging: Merging): OpenObject | undefined {
  for (const [i, { pack }] of merging.inputs.entries())
    refuseOddPolicy(pack.toolPolicy ?? {}, `inputs.${i}.pack.toolPolicy`);
  return mergeKeys(merging, "toolPolicy", "tool_policy_conflict", (key, a, b) => {
    if (key === "allowedTools" && Array.isArray(a) && Array.isArray(b))
      return [...new Set(a)].filter((one) => b.includes(one));
    if (key === "blockedTools" && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
    return key === "approvalMode" ? stricter(a, b) : undefined;
  });
}

const stricter = (a: Json, b: Json): Json => (approvalModes.indexOf(a) >= approvalModes.indexOf(b) ? a : b);

function refuseOddPolicy(policy: OpenObject, field: string): void {
  const fault = toolPolicyFault(policy);
  if (fault) throw invalid(`${field}.${fault.name}`, fault.cause);
}

/** Kept if all packs that have one agree. */
export function mergeWorkspace({ inputs, draft }: Merging): PackWorkspace | undefined {
  const [first, ...others] = inputs.filter(({ pack }) => pack.workspace !== undefined);
  const other = others.find(({ pack }) => !sameJson(pack.workspace, first?.pack.workspace));
  if (!first || !other) return first?.pack.workspace;
  draft.conflicts.push({
    code: "workspace_conflict",
    field: "workspace",
    key: "workspace",
    kept: "",
    other: other.pack.packId,
  });
  return undefined;
}

function mergeKeys(
  { inputs, draft }: Merging,
  field: Field,
  code: PackConflict["code"],
  rule: Rule,
): OpenObject | undefined {
  const merged = new Map<string, { value: Json; from: string }>();
  for (const { pack } of inputs)
    for (const [key, value] of Object.entries((pack as Pick<ContextPack, Field>)[field] ?? {})) {
      const known = merged.get(key);
      if (!known) {
        merged.set(key, { value, from: pack.packId });
        continue;
      }
      const ruled = rule(key, known.value, value);
      if (ruled !== undefined) known.value = ruled;
      else if (!sameJson(known.value, value))
        draft.conflicts.push({ code, field, key, kept: known.from, other: pack.packId });
    }
  if (merged.size === 0) return undefined;
  return Object.fromEntries([...merged].map(([key, { value }]) => [key, value]));
}
