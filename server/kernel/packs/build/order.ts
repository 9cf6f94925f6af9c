// Orders that no locale and no time zone changes.
import { momentKey } from "@/server/contract/context-pack/forms";

/** By bytes of UTF-8, which is the order of code points. The order of UTF-16 units differs above U+FFFF. */
export function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

// Surrogates stand for characters above all others.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** (createdAt, payloadId), by the moment and not by how it is written. */
export function byArrival(
  a: { createdAt: string; payloadId: string },
  b: { createdAt: string; payloadId: string },
): number {
  return byBytes(momentKey(a.createdAt), momentKey(b.createdAt)) || byBytes(a.payloadId, b.payloadId);
}

/** The first of each name. */
export function firstOfEach<T>(list: readonly T[], nameOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const name = nameOf(item);
    return seen.has(name) ? false : seen.add(name);
  });
}
