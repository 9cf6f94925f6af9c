// JSON with sorted keys, so that equal content has equal bytes and one hash.

// Concatenated, not mapped and joined: every card passes through here, and building lists was most of the cost.
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  let json = "";
  if (Array.isArray(value)) {
    for (const item of value) json += `${json === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${json}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) json += `${json === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${json}}`;
}
