// Statements that follow from what somebody typed: prepared under a name, each connection would keep every one of them.

/** No name: it is parsed, run and forgotten. */
export const UNPREPARED: string = "";
