// How much of what was found a pack has: whole, shortened, or not at all.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { listNames } from "./build/draft";

export function countItems(pack: ContextPack, sidecar: Sidecar): PackRecord["counts"] {
  const items = listNames.reduce((sum, name) => sum + (pack[name]?.length ?? 0), 0);
  const isItem = new Set<string>(listNames);
  const shortened = new Set<string>();
  const removed = new Set<string>();
  for (const { field, key, action } of sidecar.trimmed) {
    if (!isItem.has(field)) continue;
    const at = `${field} ${key}`;
    if (action === "removed") removed.add(at);
    else shortened.add(at);
  }
  const kept = [...shortened].filter((at) => !removed.has(at)).length;
  return {
    whole: Math.max(0, items - kept),
    shortened: Math.min(items, kept),
    left_out: removed.size,
    redactions: sidecar.redactions.reduce((sum, { count }) => sum + count, 0),
    conflicts: sidecar.conflicts.length,
    warnings: sidecar.warnings.length,
  };
}
