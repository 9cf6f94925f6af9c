// Which fields of two objects of one shape differ.
import { sameJson } from "../same-json";

/** The names of fields that differ, in the order of the first that has them. */
export function changedFields(from: object, to: object): string[] {
  const [a, b] = [from as Record<string, unknown>, to as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !sameJson(a[name], b[name]));
}
