// How a list continues: the server's cursor, the same on the page that prefetches and in the browser.
import type { Page } from "@/server/contract/page";

export const nextPage = {
  getNextPageParam: (page: Page<unknown>): string | undefined => page.next_cursor,
} as const;
