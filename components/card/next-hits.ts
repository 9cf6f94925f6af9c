// How the hits of one kind continue: the server's cursor, the same on the page that prefetches and in the browser.
import type { QueryAnswer } from "@/server/contract/query-search";

export const nextHits = {
  getNextPageParam: (page: QueryAnswer): string | undefined => page.groups[0]?.next_cursor,
} as const;
