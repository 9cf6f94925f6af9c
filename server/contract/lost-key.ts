// A key named `__proto__` in data from outside: zod leaves it out of records without a word, so that an argument of that name was
// neither taken nor refused as an unknown one is.
import { KernelError } from "./errors";
import { shownKey } from "./shown-key";

/** Throws bad_request with the path of the first such key. */
export function refuseLostKey(value: unknown, path: string): void {
  const lost = lostIn(value);
  if (!lost) return;
  const at = [path, ...lost.map(shownKey)].join(".");
  throw new KernelError("bad_request", `${at}: the name is not allowed; choose another`, { path: at });
}

/** Its path is put together on the way back: most values have none. */
function lostIn(value: unknown): string[] | null {
  if (value === null || typeof value !== "object") return null;
  if (Object.hasOwn(value, "__proto__")) return ["__proto__"];
  for (const [key, item] of Object.entries(value)) {
    const inner = lostIn(item);
    if (inner) return [key, ...inner];
  }
  return null;
}
