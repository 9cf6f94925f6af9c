// What redaction gave another id or digest; null = left out. Applied wherever the old one stands by itself.
export type Renames = Map<string, string | null>;

export function renamed(value: unknown, renames: Renames): unknown {
  if (renames.size === 0) return value;
  if (typeof value === "string") return renames.has(value) ? renames.get(value) : value;
  if (Array.isArray(value))
    return value.filter((item) => !isLeftOut(item, renames)).map((item) => renamed(item, renames));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renamed(inner, renames)]));
}

/** A reference to a file that was left out goes with it. */
function isLeftOut(item: unknown, renames: Renames): boolean {
  if (item === null || typeof item !== "object" || !("sha256" in item)) return false;
  return typeof item.sha256 === "string" && renames.get(item.sha256) === null;
}
