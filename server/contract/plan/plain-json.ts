// Data from outside as plain JSON: own copies, without keys that have no value. What zod would pass over in silence (a
// `__proto__` key) or could not get to the end of (a value that contains itself) is refused with its path.
import { shownKey } from "../shown-key";
import type { PlanFault } from "./parse-plan";

export const DEPTH_MAX = 64;
/** As keys they reach what every object inherits. */
export const INHERITED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export function plainJson(given: unknown): { value: unknown } | { fault: PlanFault } {
  const path: string[] = [];
  const refused = (message: string) => new Refused({ path: path.map(shownKey).join("."), message });
  const copy = (value: unknown): unknown => {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value !== "object") throw refused("expected a JSON value");
    if (path.length >= DEPTH_MAX) throw refused(`it is nested deeper than ${DEPTH_MAX} levels; flatten it`);
    if (Array.isArray(value)) return value.map((item, i) => within(String(i), item));
    const parent: unknown = Object.getPrototypeOf(value);
    if (parent !== null && parent !== Object.prototype) throw refused("expected a JSON value");
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, within(key, item)]),
    );
  };
  const within = (key: string, value: unknown): unknown => {
    path.push(key);
    if (key === "__proto__") throw refused("the name is not allowed; choose another");
    const copied = copy(value);
    path.pop();
    return copied;
  };
  try {
    return { value: copy(given) };
  } catch (error) {
    if (error instanceof Refused) return { fault: error.fault };
    throw error;
  }
}

class Refused extends Error {
  constructor(readonly fault: PlanFault) {
    super(fault.message);
  }
}
