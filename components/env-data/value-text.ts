// A value as a person types it: JSON, or text that needs no quotes. Pure.

export type ValueKind = "text" | "json";
export type TypedValue = { ok: true; value: unknown } | { ok: false; error: string };

/** Text stays text; everything else is JSON. */
export const kindOf = (value: unknown): ValueKind => (typeof value === "string" ? "text" : "json");

export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");

/** What was typed, in the other way of writing. */
export function retype(text: string, to: ValueKind): string {
  if (to === "json") return text === "" ? "" : JSON.stringify(text);
  const typed = readValue("json", text);
  return typed.ok ? textOf(typed.value) : text;
}

export function readValue(kind: ValueKind, text: string): TypedValue {
  if (kind === "text") return { ok: true, value: text };
  if (text.trim() === "") return { ok: false, error: "Enter a JSON value, or choose Text." };
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return { ok: false, error: "null is not a value. Enter another value or delete the key." };
    return { ok: true, value };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, error: `This is not JSON: ${why}. For plain text choose Text.` };
  }
}
