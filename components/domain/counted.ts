// A count that the server takes no further than a page says: one above its limit is "1,000+".
import { formatCount, formatNumber } from "@/components/ui/format";
import { COUNTED_MAX } from "@/server/contract/bounds";

export const countedNumber = (count: number): string =>
  count > COUNTED_MAX ? `${formatNumber(COUNTED_MAX)}+` : formatNumber(count);

export const countedText = (count: number, one: string, many = `${one}s`): string =>
  count > COUNTED_MAX ? `${countedNumber(count)} ${many}` : formatCount(count, one, many);
