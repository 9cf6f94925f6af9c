// Rows as columns: what a picture of many turns is read as.
import { NOT_SHOWN, TURN_COLUMNS, type TurnRow } from "../turns/turn-row";

const notShown = new Set<string>(NOT_SHOWN);

type Shown = Exclude<keyof TurnRow, (typeof NOT_SHOWN)[number]>;

/** What the frame of a turn has of its row. */
export const TURN_FRAME_COLUMNS = TURN_COLUMNS.filter((column): column is Shown => !notShown.has(column));

/** Each column as one list, in the order in which the rows come. */
export const aggregatedOf = (columns: readonly string[], alias: string): string =>
  columns.map((column) => `json_agg(${alias}.${column}) AS ${column}`).join(", ");
