// Cards that the kernel writes for each hand-over are no finding: the branches of a fork share them, or have another one of the same
// kind, and nobody can do anything about it.

/** SQL: card `c` is neither the facts of a delegation nor the pointer to a caller. */
const IS_SAID = "(c.metadata ->> 'type') NOT IN ('meta.delegation_context', 'meta.parent_pointer')";

/**
 * The card `id`, if it is neither of these, for a CROSS JOIN LATERAL; `id` is SQL, $1 the project. OFFSET 0 keeps the planner from making this
 * a plain join: nobody can tell it how many cards a box holds, and it read every card of the project.
 */
export const saidCard = (id: string): string => `(SELECT c.content_hash, c.token_count FROM cards c
      WHERE c.tenant_id = $1 AND c.card_id = ${id} AND ${IS_SAID} OFFSET 0)`;
