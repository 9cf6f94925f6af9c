// How large a number may be that comes from outside. What the database cannot hold used to be found out there, as a 500.

/** The largest of a column of type int, and of every count that nobody reaches. */
export const INT_MAX = 2_147_483_647;
/** Longest time that anything may be asked to wait. */
export const YEAR_S = 31_536_000;
