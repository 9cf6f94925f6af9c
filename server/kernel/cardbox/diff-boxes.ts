// Compares two boxes card by card: what stayed, moved, was added, was removed or replaced. Aligned by id, so the longest
// common order is found in n log n, however long the boxes are.
import type { Role } from "@/server/contract/card";
import { type Reader, read } from "../reader";
import { boxMissing, findBoxes, readBoxIds } from "./read-box";

export type DiffVerdict = "same" | "moved" | "added" | "removed" | "changed";

/** `position` in the first box, `other_position` in the other. changed: `card_id` replaces `was_card_id`. */
export type DiffEntry = {
  card_id: string;
  verdict: DiffVerdict;
  position?: number;
  other_position?: number;
  was_card_id?: string;
  type: string;
  role: Role;
  token_count: number;
};

export type BoxDiff = { box_id: string; other_box_id: string; entries: DiffEntry[] };

/** In the order of the other box, with removed cards at their old place. not_found names a missing box. */
export async function diffBoxes(
  reader: Reader,
  input: { project_id: string; box_id: string; other_box_id: string },
): Promise<BoxDiff> {
  const { project_id, box_id, other_box_id } = input;
  const { missing_box_ids } = await findBoxes(reader, { project_id, box_ids: [box_id, other_box_id] });
  if (missing_box_ids[0] !== undefined) throw boxMissing(missing_box_ids[0]);
  const ids = await readBoxIds(reader, { project_id, box_ids: [box_id, other_box_id] });
  const [left, right] = [ids.get(box_id) ?? [], ids.get(other_box_id) ?? []];
  const facts = await readFacts(reader, project_id, [...new Set([...left, ...right])]);
  const entries = diffIds(left, right, (id) => facts.get(id)?.stands_for ?? null).map((entry): DiffEntry => {
    const { type = "unknown", role = "user", token_count = 0 } = facts.get(entry.card_id) ?? {};
    return { ...entry, type, role, token_count };
  });
  return { box_id, other_box_id, entries };
}

type Fact = { card_id: string; type: string; role: Role; token_count: number; stands_for: string | null };

const FACTS = `
  SELECT card_id, metadata ->> 'type' AS type, metadata ->> 'role' AS role, token_count,
    coalesce(metadata ->> 'redacted_from', metadata ->> 'replaces') AS stands_for
  FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2::text[])`;

async function readFacts(reader: Reader, projectId: string, ids: string[]): Promise<Map<string, Fact>> {
  const rows = await read<Fact>(reader, "diff_facts", FACTS, [projectId, ids]);
  return new Map(rows.map((row) => [row.card_id, row]));
}

type BareEntry = Pick<DiffEntry, "card_id" | "verdict" | "position" | "other_position" | "was_card_id">;

/** Pure. A card that occurs n times counts as n cards: the first matches the first. */
export function diffIds(
  left: readonly string[],
  right: readonly string[],
  standsFor: (id: string) => string | null = () => null,
): BareEntry[] {
  const places = placesOf(left);
  const partner = right.map((id) => places.get(id)?.shift() ?? null);
  const kept = longestRise(partner);
  const taken = new Set(partner.filter((p) => p !== null));
  const gone = left.flatMap((id, position) => (taken.has(position) ? [] : [{ card_id: id, position }]));
  const goneById = new Map(gone.map((g) => [g.card_id, g]));
  const replaced = new Set<number>();
  const entries = right.map((card_id, other_position): BareEntry => {
    const position = partner[other_position];
    if (position !== null && position !== undefined)
      return { card_id, verdict: kept.has(other_position) ? "same" : "moved", position, other_position };
    const was = goneById.get(standsFor(card_id) ?? "");
    if (!was || replaced.has(was.position)) return { card_id, verdict: "added", other_position };
    replaced.add(was.position);
    return { card_id, verdict: "changed", position: was.position, other_position, was_card_id: was.card_id };
  });
  const removed = gone.filter((g) => !replaced.has(g.position));
  return weave(entries, removed);
}

function placesOf(ids: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [i, id] of ids.entries()) {
    const known = places.get(id);
    if (known) known.push(i);
    else places.set(id, [i]);
  }
  return places;
}

/** Indexes of a longest increasing run of the numbers (patience sorting); nulls are skipped. */
function longestRise(numbers: readonly (number | null)[]): Set<number> {
  const tops: number[] = [];
  const before: number[] = [];
  for (const [i, n] of numbers.entries()) {
    if (n === null) continue;
    let lo = 0;
    let hi = tops.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if ((numbers[tops[mid] ?? -1] ?? -1) < n) lo = mid + 1;
      else hi = mid;
    }
    before[i] = tops[lo - 1] ?? -1;
    tops[lo] = i;
  }
  const rise = new Set<number>();
  for (let i = tops.at(-1) ?? -1; i >= 0; i = before[i] ?? -1) rise.add(i);
  return rise;
}

/** Removed cards come before the first kept card that followed them. */
function weave(entries: BareEntry[], removed: { card_id: string; position: number }[]): BareEntry[] {
  const out: BareEntry[] = [];
  let next = 0;
  const takeUntil = (position: number) => {
    for (let gone = removed[next]; gone && gone.position < position; gone = removed[++next])
      out.push({ card_id: gone.card_id, verdict: "removed", position: gone.position });
  };
  for (const entry of entries) {
    if (entry.verdict === "same" && entry.position !== undefined) takeUntil(entry.position);
    out.push(entry);
  }
  takeUntil(Number.POSITIVE_INFINITY);
  return out;
}
