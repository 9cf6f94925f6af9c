// A turn is its own message: what waits of it is in state.due, and its message has an id that is its own in other words. The view
// state.turn_messages makes the same.

/** `turn`: SQL of the turn's id, which begins with turn_. */
export const messageIdSql = (turn: string): string => `'inbox_' || substr(${turn}, 6)`;
/** `message`: SQL of an inbox id, which begins with inbox_. */
export const turnIdSql = (message: string): string => `'turn_' || substr(${message}, 7)`;

/** Of a row of state.due: a worker may take it, once its time has come. */
export const isWaitingSql = (row: string): string => `${row}.claimed_by IS NULL AND ${row}.queued_for IS NULL`;
