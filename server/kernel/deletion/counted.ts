// A number that is counted up to a bound: nobody decides differently about 1,001 and about a million.
import type { Counted } from "@/server/contract/answers/deletions";

export const COUNTED_MAX = 1_000;

export const counted = (n: number): Counted => ({
  count: Math.min(n, COUNTED_MAX),
  ...(n > COUNTED_MAX && { is_more: true as const }),
});
