// The chunks of a box, by its key, for a CROSS JOIN LATERAL.

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
