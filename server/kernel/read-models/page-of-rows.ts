// A row of a page as its columns are, and the item it becomes.

/** Null where it has no value; `at` is its place. */
export type PageRow<T> = {
  [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
} & { at: string };

/** Columns without a value are left out. */
export const withoutNulls = <T extends object>(row: Record<string, unknown>): T =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
