// A page of rows that are ordered by age, the newest first: one row more than asked for tells whether there is a next page.
import type { Page } from "@/server/contract/page";
import { formatPageCursor } from "../cardbox/page-cursor";

/** An item as its columns are: null where it has no value; `at` is its place. */
export type PageRow<T> = {
  [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
} & { at: string };

/** `rows` were asked for with limit + 1, with their place as `at`. Columns without a value are left out. */
export function pageOfRows<T extends object>(
  query: { project_id: string; limit: number },
  rows: PageRow<T>[],
  idOf: (item: T) => string,
): Page<T> {
  const items = rows.slice(0, query.limit).map(({ at: _at, ...row }) => withoutNulls<T>(row));
  const last = items.at(-1);
  const at = rows[query.limit - 1]?.at;
  if (rows.length <= query.limit || last === undefined || at === undefined) return { items };
  return { items, next_cursor: formatPageCursor(query.project_id, { at, id: idOf(last) }) };
}

const withoutNulls = <T extends object>(row: Record<string, unknown>): T =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
