// A card as it reads in a transcript: text unchanged, the fields of a deliverable by name, everything else as JSON. The server cuts it
// (read-models/read-transcript.ts); whoever asks for all of it reads the card.
import type { CardContent } from "./card";
import { isRecord } from "./is-record";

export function saidText(content: CardContent | null): string {
  if (content === null) return "";
  if (content.kind === "text") return content.text;
  if (content.kind === "tool_call") return plainOr(content.arguments);
  if (content.kind === "tool_result") return content.error?.message ?? plainOr(content.result ?? "");
  if (content.kind === "fields_schema") return JSON.stringify(content.fields);
  const { data } = content;
  const fields: unknown[] = isRecord(data) && Array.isArray(data.fields) ? data.fields : [];
  const named = fields.filter(isRecord).filter((field) => Object.hasOwn(field, "name"));
  if (named.length === 0) return plainOr(data);
  return named.map(({ name, value }) => `${plainOr(name)}: ${plainOr(value ?? "")}`).join("\n\n");
}

const plainOr = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** JSON with line breaks, for people; any other text, and JSON that was cut, unchanged. */
export function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
