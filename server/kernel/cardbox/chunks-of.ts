// The chunks of a box by its key, for a CROSS JOIN LATERAL: all of them, one, or those of its own; and the ids of its first cards.

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
 * Number and ids of the chunks that were written for the box itself, its tail as the last one, without those of the boxes it is based on. A
 * turn writes no others, and a plan of the whole view takes longer to start than to run.
 */
export const ownChunksOf = (box: string): string => `(SELECT own_k.n, own_k.card_ids FROM box_chunks own_k
        WHERE own_k.tenant_id = $1 AND own_k.box_id = ${box}
      UNION ALL SELECT own_b.chunk_count, own_b.tail FROM card_boxes own_b
        WHERE own_b.tenant_id = $1 AND own_b.box_id = ${box} AND own_b.tail IS NOT NULL)`;

/** Ids of the first cards of a box that is based on no other, as one of a profile is. `row` names a row of card_boxes. */
export const firstCardsOf = (
  row: string,
): string => `CASE WHEN ${row}.chunk_count = 0 AND ${row}.tail IS NOT NULL THEN ${row}.tail
      ELSE (SELECT first_k.card_ids FROM box_chunks first_k
        WHERE first_k.tenant_id = $1 AND first_k.box_id = ${row}.box_id AND first_k.n = 0) END`;
