// A page of rows, newest first, by the filters that are given. A statement has only those, so that it is planned for them: with
// `$2 IS NULL OR ...` for each one that may be absent, no index was used and a million rows were read for a page. What no index
// answers is asked of a limited number of rows; the cursor goes on behind them, and the page may have fewer rows than asked for.
import { formatPageCursor, type Place, parsePageCursor } from "./page-cursor";

/** `?` stands for the values in their order. A filter with a value that is undefined is not given. */
export type Filter = readonly [sql: string, ...values: unknown[]];

/** `within` says which rows are looked at, `where` which of them are listed. $1 is the project. */
export type WalkPieces = { within: string; where: string; window: number; limit: number };

export type Walk<Row> = {
  project_id: string;
  limit: number;
  cursor: string | undefined;
  /** A list whose cursors are ids of its own. */
  own?: { after: Filter[]; cursorOf: (place: Place) => string };
  /** Columns of the order. */
  time: string;
  id: string;
  idOf: (row: Row) => string;
  /** An index finds these rows, in the order of the list or few at a time. */
  keyed: Filter[];
  /** Looked for row by row. */
  asked: Filter[];
  rows: (pieces: WalkPieces, values: unknown[]) => Promise<Row[]>;
  /** The last row that is looked at, and the one after it. */
  end: (pieces: WalkPieces, values: unknown[]) => Promise<Place[]>;
};

/** Rows that one page looks at. */
const WALKED_MAX = 1_000;

/** bad_request for a cursor of another project. */
export async function walk<Row extends { at: string }>(
  asks: Walk<Row>,
): Promise<{ rows: Row[]; next_cursor?: string }> {
  const { project_id, limit } = asks;
  const { after, cursorOf } = asks.own ?? sealed(asks);
  const isWalked = isGiven(asks.asked);
  const window = isWalked ? WALKED_MAX : limit + 1;
  const values: unknown[] = [project_id];
  const within = written([...asks.keyed, ...after], values);
  const looked = [...values];
  const found = await asks.rows({ within, where: written(asks.asked, values), window, limit: limit + 1 }, values);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length > limit && last) return { rows, next_cursor: cursorOf({ at: last.at, id: asks.idOf(last) }) };
  if (!isWalked) return { rows };
  const [end, further] = await asks.end({ within, where: "true", window, limit: 1 }, looked);
  return { rows, ...(end && further && { next_cursor: cursorOf(end) }) };
}

function sealed({ project_id, cursor, time, id }: Pick<Walk<never>, "project_id" | "cursor" | "time" | "id">) {
  const place = parsePageCursor(project_id, cursor);
  const after: Filter[] = place ? [[`(${time}, ${id}) < (?::timestamptz, ?::text)`, place.at, place.id]] : [];
  return { after, cursorOf: (at: Place) => formatPageCursor(project_id, at) };
}

const isGiven = (filters: Filter[]): boolean => filters.some(([, ...values]) => !values.includes(undefined));

/** One condition; their values are added to `values`. */
export const written = (filters: Filter[], values: unknown[]): string =>
  filters
    .filter(([, ...own]) => !own.includes(undefined))
    .map(([sql, ...own]) => {
      let i = 0;
      return sql.replaceAll("?", () => `$${values.push(own[i++])}`);
    })
    .join(" AND ") || "true";
