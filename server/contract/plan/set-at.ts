// Sets one value at a JSON pointer, in a copy. Objects on the way keep their other members as they are.
import { isRecord } from "../is-record";
import type { PlanFault } from "./parse-plan";
import { INHERITED } from "./plain-json";

/** /gate/max_parallel = ["gate", "max_parallel"]. Null = no JSON pointer. */
export function tokensOf(pointer: string): string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  const tokens = pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return tokens.some((token) => INHERITED.has(token)) ? null : tokens;
}

export const pointerOf = (tokens: readonly string[]): string =>
  tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** What undoes it: of a list that got longer or shorter the whole list, else the one value. Absent = there was none. */
export type SetAt = { next: unknown; undo: { tokens: string[]; value?: unknown } };

/** Value undefined = take it away. */
export function setAt(root: unknown, tokens: string[], value: unknown): SetAt | { fault: PlanFault } {
  const [token, ...rest] = tokens;
  if (token === undefined) return { next: value, undo: { tokens: [], value: root } };
  if (Array.isArray(root)) return setInList(root, token, rest, value);
  if (!isRecord(root)) return nothingThere;
  const own = Object.hasOwn(root, token) ? root[token] : undefined;
  const inner = setAt(own, rest, value);
  if ("fault" in inner) return inner;
  const { [token]: _, ...others } = root;
  // Spread keeps the place of a key that stays.
  const next = inner.next === undefined ? others : { ...root, [token]: inner.next };
  return { next, undo: { ...inner.undo, tokens: [token, ...inner.undo.tokens] } };
}

function setInList(list: unknown[], token: string, rest: string[], value: unknown): SetAt | { fault: PlanFault } {
  const i = /^(0|[1-9]\d{0,4})$/.test(token) ? Number(token) : Number.NaN;
  const isLast = rest.length === 0;
  if (!(i < list.length || (i === list.length && isLast && value !== undefined)))
    return { fault: { path: "path", message: `there is no entry ${token}; the list has ${list.length}` } };
  if (isLast && value === undefined) return { next: list.toSpliced(i, 1), undo: { tokens: [], value: list } };
  if (i === list.length) return { next: [...list, value], undo: { tokens: [], value: list } };
  const inner = setAt(list[i], rest, value);
  if ("fault" in inner) return inner;
  return { next: list.with(i, inner.next), undo: { ...inner.undo, tokens: [token, ...inner.undo.tokens] } };
}

const nothingThere = { fault: { path: "path", message: "there is nothing to set it in; set what is around it first" } };
