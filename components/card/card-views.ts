// Which ways of reading a card's content make sense, and the first of them. Pure: the viewer only draws what is said here.
import { type CardContent, contentText } from "@/server/contract/card";

export type CardView = "markdown" | "json" | "fields" | "text" | "calls" | "raw";

export const viewLabels: Record<CardView, string> = {
  markdown: "Markdown",
  json: "JSON",
  fields: "Fields",
  text: "Text",
  calls: "Tool calls",
  raw: "Raw",
};

export type NamedField = { name: string; text: string };

export type Readable = {
  views: CardView[];
  text: string;
  /** Set when there is something to fold. */
  json?: unknown;
  fields?: NamedField[];
};

export function readable(content: CardContent): Readable {
  const text = contentText(content);
  if (content.kind === "text") {
    const json = parsedJson(text);
    if (json !== undefined) return { views: ["json", "text", "raw"], text, json };
    return { views: looksLikeMarkdown(text) ? ["markdown", "text", "raw"] : ["text", "markdown", "raw"], text };
  }
  const json = insideOf(content);
  const fields = fieldsOf(content);
  if (fields) return { views: ["fields", "json", "raw"], text, json, fields };
  if (typeof json === "string")
    return { views: looksLikeMarkdown(json) ? ["markdown", "text", "raw"] : ["text", "markdown", "raw"], text: json };
  return { views: ["json", "text", "raw"], text, json };
}

/** What is inside the envelope: the arguments of a call, the result or the error of a result. */
function insideOf(content: Exclude<CardContent, { kind: "text" }>): unknown {
  if (content.kind === "json") return content.data;
  if (content.kind === "fields_schema") return content.fields;
  if (content.kind === "tool_call") return content.arguments;
  return content.error ?? content.result ?? null;
}

/** A deliverable's fields, or the fields that were asked for: names with text, which nobody wants to read as JSON. */
function fieldsOf(content: CardContent): NamedField[] | undefined {
  if (content.kind === "fields_schema") return content.fields.map((f) => ({ name: f.name, text: f.description }));
  if (content.kind !== "json" || content.data === null || typeof content.data !== "object") return undefined;
  const { fields } = content.data as { fields?: unknown };
  if (!Array.isArray(fields) || fields.length === 0) return undefined;
  const named = fields.flatMap((field: unknown): NamedField[] => {
    if (field === null || typeof field !== "object" || !("name" in field) || typeof field.name !== "string") return [];
    const value = "value" in field ? field.value : undefined;
    return [{ name: field.name, text: typeof value === "string" ? value : JSON.stringify(value, null, 2) }];
  });
  return named.length === fields.length ? named : undefined;
}

/** Longer text is not parsed on the chance that it might be JSON. */
const guessLettersMax = 2_000_000;

function parsedJson(text: string): unknown {
  const start = text.trimStart().charAt(0);
  if ((start !== "{" && start !== "[") || text.length > guessLettersMax) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Text that begins with a bracket and is not JSON is text.
    return undefined;
  }
}

/** Headings, lists, tables, fences, emphasis or links in the first letters. Two line breaks alone are ordinary text. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 20_000);
  return (
    /^ {0,3}#{1,6} \S/m.test(head) ||
    /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/m.test(head) ||
    /^ {0,3}(?:```|~~~)/m.test(head) ||
    /^\|.+\|\s*$/m.test(head) ||
    /\*\*[^*\n]+\*\*/.test(head) ||
    /\[[^\]\n]+\]\(https?:[^)\s]+\)/.test(head)
  );
}

export type Blackout = { kind: string; pointer: string };

/** Every placeholder with its place as a JSON pointer; "" for plain text. */
export function blackouts(content: CardContent): Blackout[] {
  const found: Blackout[] = [];
  const walk = (value: unknown, pointer: string) => {
    if (typeof value === "string") {
      for (const match of value.matchAll(/\[REDACTED:([a-z_]{1,40})\]/g)) found.push({ kind: match[1] ?? "", pointer });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, `${pointer}/${index}`);
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value))
        walk(item, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  };
  walk(content.kind === "text" ? content.text : insideOf(content), "");
  return found;
}
