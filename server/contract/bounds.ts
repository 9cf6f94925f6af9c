// Limits for numbers from outside. A number too large for the database used to fail there, as a 500.

/** The maximum of an int column, also used for counts without a limit of their own. */
export const INT_MAX = 2_147_483_647;
/** The longest wait that may be requested. */
export const YEAR_S = 31_536_000;
/** Size of one imported file: the browser says it before sending, the server enforces it. */
export const IMPORT_BYTES_MAX = 67_108_864;
/** Large counts go no further: one more than this means that there are more. */
export const COUNTED_MAX = 1_000;
