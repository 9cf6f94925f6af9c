// What each part of a pack weighs. The kernel counts a pack as a whole; the parts share that number by their bytes, so that they
// add up to it. Pure.
import { canonicalJson } from "@/server/contract/canonical-json";

const encoder = new TextEncoder();

export const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : encoder.encode(canonicalJson(value)).byteLength;

/** Whole numbers in proportion to `weights` that add up to `total`: the largest remainders are rounded up. */
export function share(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, one) => all + one, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const parts = exact.map(Math.floor);
  const left = total - parts.reduce((all, one) => all + one, 0);
  const order = exact.map((value, at) => ({ at, rest: value - Math.floor(value) })).sort((a, b) => b.rest - a.rest);
  for (const { at } of order.slice(0, left)) parts[at] = (parts[at] ?? 0) + 1;
  return parts;
}
