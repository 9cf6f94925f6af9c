// jsonb cannot store NUL or a lone surrogate: a client's is refused with its path, a model's is replaced.
import { KernelError } from "./errors";
import { shownKey } from "./shown-key";

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what it looks for
const BAD = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const BAD_ALL = new RegExp(BAD, "g");

/** Whether it contains a string or key that the database cannot store. */
export function hasBadText(value: unknown): boolean {
  if (typeof value === "string") return BAD.test(value);
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(hasBadText);
  for (const key of Object.keys(value))
    if (BAD.test(key) || hasBadText((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Throws bad_request with the path of the first string or key that the database cannot store. */
export function refuseBadText(value: unknown, path = "body"): void {
  // Paths are built only for refused input: they were most of the work.
  if (hasBadText(value)) refuseFirst(value, path);
}

function refuseFirst(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (BAD.test(value))
      throw new KernelError("bad_request", `${path} contains a NUL byte or half a surrogate pair; remove it`);
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) refuseFirst(item, `${path}.${i}`);
  } else if (value !== null && typeof value === "object") {
    for (const [key, item] of Object.entries(value)) {
      refuseFirst(key, `${path} (a key)`);
      refuseFirst(item, `${path}.${shownKey(key)}`);
    }
  }
}

/** Model and tool output: what cannot be stored becomes U+FFFD; `mended` says whether anything did. */
export function mendText<T>(value: T): { value: T; mended: boolean } {
  let mended = false;
  const walk = (v: unknown): unknown => {
    if (typeof v === "string") {
      if (!BAD.test(v)) return v;
      mended = true;
      return v.replace(BAD_ALL, "\uFFFD");
    }
    if (Array.isArray(v)) return v.map(walk);
    if (v !== null && typeof v === "object")
      return Object.fromEntries(Object.entries(v).map(([k, x]) => [walk(k) as string, walk(x)]));
    return v;
  };
  return { value: walk(value) as T, mended };
}
