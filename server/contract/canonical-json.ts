// JSON with sorted keys, so that equal content has equal bytes and one hash.

// Concatenated, not mapped and joined: every card passes through here, and building lists was most of the cost.
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  let json = "";
  if (Array.isArray(value)) {
    for (const item of value) json += `${json === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${json}]`;
  }
  for (const key of sortedKeys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) json += `${json === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${json}}`;
}

/** In the order of sort(), by UTF-16 units. Of a few keys that mostly stand in order, an insertion sort is faster: sort() copies the list. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > INSERTION_SORT_MAX) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? "";
    let at = i;
    for (; at > 0 && (keys[at - 1] ?? "") > key; at--) keys[at] = keys[at - 1] ?? "";
    keys[at] = key;
  }
  return keys;
}

const INSERTION_SORT_MAX = 24;
