// A box may begin with the first cards of another one, its base, without a copy of them: what a hand-over inherits whole is named.
// Whoever reads chunks by the view card_box_chunks sees them as if they had been copied. A base may have a base itself.

/** Columns of `card_boxes`. */
export type Base = { base_box: string; base_len: number };

/** `base_chunks`: the numbers of a box's own chunks begin after those of its base. */
export type Begun = Base & { base_chunks: number };

/** Bases under a box. Beyond, what it inherits is copied: each of them is looked up by everybody who reads the box. */
export const BASES_MAX = 4;

/** How many bases are under a box whose own is `base`; `project` and `base` are SQL. */
export const basesUnder = (project: string, base: string): string => `(
    WITH RECURSIVE under AS (
      SELECT ${base} AS box_id, 1 AS n WHERE ${base} IS NOT NULL
      UNION ALL
      SELECT under_b.base_box, under.n + 1 FROM under CROSS JOIN LATERAL (SELECT under_x.base_box FROM card_boxes under_x
        WHERE under_x.tenant_id = ${project} AND under_x.box_id = under.box_id AND under_x.base_len IS NOT NULL OFFSET 0) under_b
      WHERE under.n <= ${BASES_MAX}
    ) SELECT count(*)::int FROM under)`;
