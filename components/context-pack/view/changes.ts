// What differs between two packs, by section, with texts to compare line by line. Pure.

import { groupBy } from "@/components/domain/group-by";
import type { PackChange } from "@/server/contract/context-pack/diff-packs";
import { isRecord } from "@/server/contract/is-record";
import { type SectionKey, sectionForms, sectionOfPointer } from "./sections";

export type ChangeRow = PackChange & { id: string; was: string; now: string };
export type ChangedSection = { key: SectionKey; label: string; rows: readonly ChangeRow[] };

export function changedSections(changes: readonly PackChange[]): ChangedSection[] {
  const groups = groupBy(changes, ({ pointer }) => sectionOfPointer(pointer));
  return sectionForms.flatMap(({ key, label }) => {
    const rows = (groups.get(key) ?? []).map((change) => ({
      ...change,
      id: `${change.kind} ${change.pointer}`,
      was: asText(change.before),
      now: asText(change.after),
    }));
    return rows.length === 0 ? [] : [{ key, label, rows }];
  });
}

/** "2 added, 1 changed" */
export function changeCounts(changes: readonly PackChange[]): string {
  const counts = groupBy(changes, ({ kind }) => kind);
  return kinds.flatMap((kind) => (counts.has(kind) ? `${counts.get(kind)?.length} ${kind}` : [])).join(", ");
}

const kinds: readonly PackChange["kind"][] = ["added", "removed", "changed", "reordered"];

/** An item as lines: an excerpt keeps its own, where JSON would make one long line of it. */
function asText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (!isRecord(value)) return JSON.stringify(value, null, 2);
  return Object.entries(value)
    .map(([name, member]) => {
      const text = typeof member === "string" ? member : JSON.stringify(member, null, 2);
      return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join("\n");
}
