// A count that the server takes no further than a page says: one above its limit is "1,000+".
import { formatCount, formatNumber } from "@/components/ui/format";
import { COUNTED_MAX } from "@/server/contract/bounds";

export const countedNumber = (count: number): string =>
  count > COUNTED_MAX ? `${formatNumber(COUNTED_MAX)}+` : formatNumber(count);

/** Of counts that each go no further. */
export const countedSum = (counts: readonly number[]): string => {
  const sum = counts.reduce((all, one) => all + Math.min(one, COUNTED_MAX), 0);
  return `${formatNumber(sum)}${counts.some((one) => one > COUNTED_MAX) ? "+" : ""}`;
};

export const countedText = (count: number, one: string, many = `${one}s`): string =>
  count > COUNTED_MAX ? `${countedNumber(count)} ${many}` : formatCount(count, one, many);
