// Where two JSON values first differ, in the order of their canonical bytes.
import { pointerPart } from "@/server/contract/context-pack/diff-packs";

/** A JSON pointer; null = they are equal. */
export function firstDifference(a: unknown, b: unknown, pointer = ""): string | null {
  if (a === b) return null;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      const found =
        i < Math.min(a.length, b.length) ? firstDifference(a[i], b[i], `${pointer}/${i}`) : `${pointer}/${i}`;
      if (found !== null) return found;
    }
    return null;
  }
  if (!isObject(a) || !isObject(b)) return pointer;
  for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const at = `${pointer}/${pointerPart(key)}`;
    const found = Object.hasOwn(a, key) && Object.hasOwn(b, key) ? firstDifference(a[key], b[key], at) : at;
    if (found !== null) return found;
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
