// An entry of a list, named by its value: an operation made on an older plan finds what it meant, or is told that it is gone.
import { sameJson } from "../same-json";
import type { Refusal } from "./op";
import { refuse } from "./parts";

/** `index` picks among equal entries. Null = there is none. */
export function entryAt<T>(list: readonly T[], entry: T, index: number | undefined): number | null {
  if (index !== undefined && index < list.length && sameJson(list[index], entry)) return index;
  const i = list.findIndex((other) => sameJson(other, entry));
  return i < 0 ? null : i;
}

export const noEntry = (path: string, place: string, what: string): Refusal =>
  refuse(path, `${place} has no such ${what}; it was changed or removed`);
