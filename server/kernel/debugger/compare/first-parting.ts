// The first place where two runs part. By time, and as each run counts from its own start: of what happens one after the other in
// both, the first is first by the sum of both times. Pure.
import { type Parting, partingWords } from "@/server/contract/run-compare/parting";
import type { ComparedTurn } from "@/server/contract/run-compare/run-comparison";
import type { JudgedRow } from "./judge-rows";

export type FirstParting = { rows: readonly JudgedRow[]; starts: { a: number; b: number } };

/**
 * A run that was started again from a turn of the other parts below that turn. What a person typed is seen in what they called:
 * their own turn only counts if nothing else differs.
 */
export function firstParting({ rows, starts }: FirstParting): Parting | undefined {
  const isOfPerson = ({ row: { a, b } }: JudgedRow) => (a ?? b)?.is_human === true;
  const ofAgents = rows.filter((row) => !isOfPerson(row));
  const again = belowAgain(rows);
  const of = (chosen: readonly JudgedRow[]) => firstOf(chosen, { rows, starts });
  return of(ofAgents.filter(({ row }) => again.has(row.at))) ?? of(ofAgents) ?? of(rows.filter(isOfPerson));
}

/** Places of the rows that were started again, and of all below them. Callers come first. */
function belowAgain(rows: readonly JudgedRow[]): Set<number> {
  const places = new Set<number>();
  for (const { row } of rows) {
    const isAgain = row.aligned_by === "forked_from" || row.aligned_by === "rerun_of";
    if (isAgain || places.has(row.below ?? -1)) places.add(row.at);
  }
  return places;
}

function firstOf(chosen: readonly JudgedRow[], { rows, starts }: FirstParting): Parting | undefined {
  let first: { parting: Parting; key: number } | undefined;
  const consider = (parting: Parting, key: number): void => {
    // Of equal times the one that is read first.
    if (!first || key < first.key) first = { parting, key };
  };
  for (const { row, found } of chosen) {
    if (row.parts && found) consider(row.parts, found.a.at_ms - starts.a + (found.b.at_ms - starts.b));
    // What one of them called alone follows from what its caller wrote. A person's call follows from nothing.
    const turn = row.a ?? row.b;
    const isAlone = row.verdict === "only_a" || row.verdict === "only_b";
    if (!turn || !isAlone || !mayBeFirst(rows[row.below ?? -1])) continue;
    consider(aloneOf(row), 2 * (Date.parse(turn.created_at) - (row.a ? starts.a : starts.b)));
  }
  return first?.parting;
}

const mayBeFirst = (caller: JudgedRow | undefined): boolean => {
  if (!caller) return true;
  const { verdict, a, b } = caller.row;
  return verdict === "same" || (verdict === "changed" && (a ?? b)?.is_human === true);
};

function aloneOf({ a, b }: { a?: ComparedTurn; b?: ComparedTurn }): Parting {
  const side = ({ agent_turn_id, headcode, status }: ComparedTurn) => ({ agent_turn_id, headcode, status });
  const parting = { kind: "only" as const, ...(a && { a: side(a) }), ...(b && { b: side(b) }) };
  return { ...parting, says: partingWords(parting) };
}
