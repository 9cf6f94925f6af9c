// Ids of the edges that turns tell: those of their rows, so that frames and the view name the same edge, in the order of time as all
// ids that the kernel mints. The view state.execution_edges makes them in the same way.

/** Of the call that made a turn. `turn`: SQL of its id, which begins with turn_. */
export const edgeIdSql = (turn: string): string => `'edge_' || substr(${turn}, 6)`;
