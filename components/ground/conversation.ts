// A conversation that was read out of a log wraps like text: ten turns in one line would be an unreadable strip.

/** So many turns make a line, as a rule. */
export const CHAIN_COLUMNS = 3;
/** A longer one has longer lines, close to each other: a log of 130 messages was a strip of 44 lines. */
const LONG = 18;
const COLUMNS_MAX = 12;
/** A column over a row, over the shape of what an inspector and a timeline leave of a screen. */
const COLUMN_OVER_ROW = 328 / 82 / 1.7;

export const chainColumns = (turns: number): number =>
  turns <= LONG
    ? CHAIN_COLUMNS
    : Math.min(COLUMNS_MAX, Math.max(CHAIN_COLUMNS, Math.round(Math.sqrt(turns / COLUMN_OVER_ROW))));

/** Rows from one line to the next. */
export const chainRows = (line: number): number => (line > CHAIN_COLUMNS ? 1 : 2);
