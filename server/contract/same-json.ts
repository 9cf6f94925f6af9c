// Whether two JSON values are equal. The order of keys does not matter; a key without a value is no key.
import { isRecord } from "./is-record";

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const count = Object.keys(b).filter((key) => b[key] !== undefined).length;
  return keys.length === count && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}
