// Rows of one statement that say the same in some fields (the turns of a fork: who forked, in which run, which profile) send these
// once for each kind of row. Sent with every row they were a third of what a fork of sixty-four writes to the database's socket, and
// the socket was most of what it cost here.

type Kind = { kind: number };

export type ByKind<Shared, Rest> = {
  /** What all rows of a kind share. */
  kinds: (Shared & Kind)[];
  /** In order; the rest of each row, and its kind. */
  rows: Rest[];
};

/**
 * The statement joins them again: `jsonb_to_recordset(rows) JOIN jsonb_to_recordset(kinds) USING (kind)`. `sharedOf` returns the same
 * keys for every row. Both return object literals: built in a loop, or by a spread with fields after it, they took ten times the memory.
 */
export function byKind<Row, Shared extends object, Rest extends Kind>(
  given: readonly Row[],
  sharedOf: (row: Row, i: number) => Shared,
  restOf: (row: Row, kind: number, i: number) => Rest,
): ByKind<Shared, Rest> {
  const heads: Shared[] = [];
  let names: (keyof Shared)[] = [];
  const rows = given.map((row, i) => {
    const shared = sharedOf(row, i);
    if (i === 0) names = Object.keys(shared) as (keyof Shared)[];
    let kind = heads.findLastIndex((head) => names.every((key) => head[key] === shared[key]));
    if (kind < 0) kind = heads.push(shared) - 1;
    return restOf(row, kind, i);
  });
  return { kinds: heads.map((head, kind) => ({ ...head, kind })), rows };
}
