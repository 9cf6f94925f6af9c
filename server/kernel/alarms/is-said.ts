// Cards that the kernel writes for each hand-over are no finding: the branches of a fork share them, or have another one of the same
// kind, and nobody can do anything about it.

/** SQL: card `c` is neither the facts of a delegation nor the pointer to a caller. */
export const IS_SAID = "(c.metadata ->> 'type') NOT IN ('meta.delegation_context', 'meta.parent_pointer')";
