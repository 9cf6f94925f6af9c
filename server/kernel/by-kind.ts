// Rows of one statement that say the same in some fields (the turns of a fork: who forked, in which run, which profile) send these
// once for each kind of row. Sent with every row they were a third of what a fork of sixty-four writes to the database's socket, and
// the socket was most of what it cost here.

type Kind = { kind: number };

export type ByKind<Row, Shared extends keyof Row> = {
  /** What all rows of a kind share. */
  kinds: (Pick<Row, Shared> & Kind)[];
  /** In order; the rest of each row, and its kind. */
  rows: (Omit<Row, Shared> & Kind)[];
};

/** The statement joins them again: `jsonb_to_recordset(rows) JOIN jsonb_to_recordset(kinds) USING (kind)`. */
export function byKind<Row extends object, Shared extends keyof Row>(
  given: readonly Row[],
  shared: readonly Shared[],
): ByKind<Row, Shared> {
  const isShared = new Set<PropertyKey>(shared);
  const heads: Row[] = [];
  const rows = given.map((row) => {
    let kind = heads.findLastIndex((head) => shared.every((key) => head[key] === row[key]));
    if (kind < 0) kind = heads.push(row) - 1;
    return pick(row, kind, isShared, false) as Omit<Row, Shared> & Kind;
  });
  const kinds = heads.map((head, kind) => pick(head, kind, isShared, true) as Pick<Row, Shared> & Kind);
  return { kinds, rows };
}

function pick(row: object, kind: number, shared: ReadonlySet<PropertyKey>, areShared: boolean): object {
  const part: Record<string, unknown> = { kind };
  for (const key of Object.keys(row))
    if (shared.has(key) === areShared) part[key] = (row as Record<string, unknown>)[key];
  return part;
}
