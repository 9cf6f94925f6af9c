// The chunks of a box by its key, for a CROSS JOIN LATERAL: all of them, one, or the last; and the ids of its first cards.

/**
 * `box` is SQL, $1 the project. OFFSET 0: joined to card_box_chunks, which is a view over boxes and their full chunks, every box of
 * the project was read to find those of one.
 */
export const chunksOf = (
  box: string,
): string => `(SELECT of_k.n, of_k.start, of_k.card_ids, of_k.origins FROM card_box_chunks of_k
      WHERE of_k.tenant_id = $1 AND of_k.box_id = ${box} OFFSET 0)`;

/** One of them. */
export const chunkAt = (
  box: string,
  n: string,
): string => `(SELECT of_k.start, of_k.card_ids, of_k.origins FROM card_box_chunks of_k
      WHERE of_k.tenant_id = $1 AND of_k.box_id = ${box} AND of_k.n = ${n} OFFSET 0)`;

/**
 * Number and ids of the last chunks of a box, its tail as the last one: at most three, and none of the boxes it is based on. A turn writes no
 * others, and a plan of the whole view takes longer to start than to run.
 */
export const lastChunksOf = (
  box: string,
): string => `(SELECT last_k.n, last_k.card_ids FROM card_boxes last_b CROSS JOIN LATERAL (
        SELECT own_k.n, own_k.card_ids FROM box_chunks own_k
        WHERE own_k.tenant_id = $1 AND own_k.box_id = last_b.box_id AND own_k.n >= last_b.chunk_count - 2
        UNION ALL SELECT last_b.chunk_count, last_b.tail WHERE last_b.tail IS NOT NULL) last_k
      WHERE last_b.tenant_id = $1 AND last_b.box_id = ${box})`;

/** Ids of the first cards of a box that is based on no other, as one of a profile is. `row` names a row of card_boxes. */
export const firstCardsOf = (
  row: string,
): string => `CASE WHEN ${row}.chunk_count = 0 AND ${row}.tail IS NOT NULL THEN ${row}.tail
      ELSE (SELECT first_k.card_ids FROM box_chunks first_k
        WHERE first_k.tenant_id = $1 AND first_k.box_id = ${row}.box_id AND first_k.n = 0) END`;
