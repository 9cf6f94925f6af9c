// What no line of a bundle may hold, wherever it stands: what overflows whoever walks it, what the database cannot store, and a name
// of a member that would change an object instead of being in it.
import { shownKey } from "@/server/contract/shown-key";
import { hasBadText } from "@/server/contract/text";
import { isTooDeep, SAID_DEPTH_MAX } from "@/server/kernel/cardbox/canonical-json";

type Fault = { path: string; message: string };

/** Members of lists and objects, of one line. As a value each takes a hundred bytes and more. */
const MEMBERS_MAX = 2_000_000;

/** null = nothing. Of a value that JSON.parse made; `where` stands before the path. */
export function valueFault(value: unknown, where: string): Fault | null {
  const [first] = Object.entries(value as object).find(([, member]) => isTooDeep(member)) ?? [];
  if (first !== undefined)
    return { path: `${where}.${shownKey(first)}`, message: `is nested deeper than ${SAID_DEPTH_MAX} levels` };
  const count = { left: MEMBERS_MAX };
  if (isPlain(value, count)) return null;
  return count.left < 0
    ? { path: where, message: `has over ${MEMBERS_MAX} values, the limit of a line` }
    : firstFault(value, where);
}

/** Paths are built only for refused lines: they were most of the work. */
function isPlain(value: unknown, count: { left: number }): boolean {
  if (--count.left < 0) return false;
  if (typeof value === "string") return !hasBadText(value);
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, count));
  for (const key of Object.keys(value))
    if (key === PROTO || hasBadText(key) || !isPlain((value as Record<string, unknown>)[key], count)) return false;
  return true;
}

function firstFault(value: unknown, path: string): Fault | null {
  if (typeof value === "string") return hasBadText(value) ? { path, message: BAD_TEXT } : null;
  if (value === null || typeof value !== "object") return null;
  for (const [key, member] of Object.entries(value)) {
    const at = `${path}.${shownKey(key)}`;
    if (key === PROTO) return { path: at, message: `is not allowed as a name; take ${PROTO} out` };
    if (hasBadText(key)) return { path: `${at} (a key)`, message: BAD_TEXT };
    const fault = firstFault(member, at);
    if (fault) return fault;
  }
  return null;
}

const PROTO = "__proto__";
const BAD_TEXT = "contains a NUL byte or half a surrogate pair; remove it";
