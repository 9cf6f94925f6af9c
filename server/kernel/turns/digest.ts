// What a branch's deliverable says in one line: the parent reads it without opening a box.
import type { CardContent } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";

const FIELDS = 5;
const TEXT_MAX = 2_000;

/**
 * The first five fields, blanks among them dropped, `name: value` joined by ` | `; a field named Summary where those say
 * nothing; a text as it is, and JSON without fields as JSON, cut at 2,000 code points. Undefined where there is nothing to say.
 */
export function digestOf(content: CardContent | null): string | undefined {
  if (content === null) return undefined;
  if (content.kind === "text") return cut(content.text.trim());
  if (content.kind !== "json") return undefined;
  const fields = fieldsOf(content.data);
  const said = fields
    .slice(0, FIELDS)
    .filter((field) => field.value !== "")
    .map(({ name, value }) => `${name}: ${value}`);
  if (said.length > 0) return cut(said.join(" | "));
  const summary = fields.find((field) => field.name.toLowerCase() === "summary")?.value;
  if (summary) return cut(summary);
  return hasFields(content.data) ? undefined : cut(textOf(content.data));
}

function fieldsOf(data: unknown): { name: string; value: string }[] {
  if (!hasFields(data)) return [];
  return data.fields.flatMap((field) =>
    isRecord(field) && typeof field.name === "string" ? [{ name: field.name.trim(), value: textOf(field.value) }] : [],
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

function cut(text: string): string | undefined {
  if (text === "") return undefined;
  const points = [...text];
  return points.length > TEXT_MAX ? `${points.slice(0, TEXT_MAX - 1).join("")}…` : text;
}

const hasFields = (data: unknown): data is { fields: unknown[] } => isRecord(data) && Array.isArray(data.fields);
