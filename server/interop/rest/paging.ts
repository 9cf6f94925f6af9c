// Lists: `limit` and an opaque cursor. One extra row shows whether there is a next page.
import { KernelError } from "@/server/contract/errors";
import type { Page } from "@/server/contract/page";

export function pageOf<T>(rows: T[], limit: number, cursorOf: (item: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last !== undefined ? { items, next_cursor: cursorOf(last) } : { items };
}

export const badCursor = (): KernelError =>
  new KernelError("bad_request", "not a cursor of this list; leave cursor out to start from the beginning");
