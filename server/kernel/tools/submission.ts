// What submit_result was given, as a deliverable. Pure, because the tool checks with it and the loop delivers with it.
import type { CardContent } from "@/server/contract/card";
import { isRecord } from "@/server/contract/is-record";

export type ResultField = { name: string; value: string };
export type Submission = { ok: true; content: CardContent } | { ok: false; error: string };

/**
 * `result` (or the arguments themselves) is `{fields: [{name, value}]}`, a map of names to values, or a list of
 * `{name, value}`. Required names come first, in their order. Without required names anything may be submitted.
 */
export function readSubmission(args: unknown, required: string[]): Submission {
  const given = isRecord(args) && "result" in args ? args.result : args;
  // An empty call says nothing: it used to end the turn with nothing.
  if (given === undefined || given === null || (given === args && isRecord(args) && Object.keys(args).length === 0))
    return refusal(`fields: submit_result requires result${wanted(required)}`);
  const fields = fieldsOf(given);
  if (!fields) {
    if (required.length === 0) return { ok: true, content: asItIs(given) };
    return refusal(`fields: missing ${list(required)}${wanted(required)}`);
  }
  const names = fields.map((field) => field.name);
  const twice = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
  if (twice.length > 0) return refusal(`fields: duplicate ${list(twice)}; give each name once`);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) return refusal(`fields: missing ${list(missing)}; the required names are ${list(required)}`);
  const rank = new Map(required.map((name, i) => [name, i]));
  const ordered = fields.toSorted((a, b) => (rank.get(a.name) ?? rank.size) - (rank.get(b.name) ?? rank.size));
  return { ok: true, content: { kind: "json", data: { fields: ordered } } };
}

const wanted = (required: string[]): string =>
  required.length === 0
    ? `; give your result as {"result": ...}`
    : `; give each of ${list(required)} as {"result": {"fields": [{"name", "value"}, ...]}}`;
const refusal = (error: string): Submission => ({ ok: false, error });
const list = (names: string[]) => `[${names.map((name) => `'${name}'`).join(", ")}]`;

function asItIs(given: unknown): CardContent {
  if (typeof given === "string") return { kind: "text", text: given };
  return { kind: "json", data: JSON.parse(JSON.stringify(given)) };
}

/** null when it names no fields at all. */
function fieldsOf(given: unknown): ResultField[] | null {
  if (isRecord(given) && Array.isArray(given.fields)) return fieldsOf(given.fields);
  if (isRecord(given))
    return Object.entries(given).map(([name, value]) => ({ name: name.trim(), value: textOf(value) }));
  if (!Array.isArray(given)) return null;
  const fields = given.map((item) =>
    isRecord(item) && typeof item.name === "string" ? { name: item.name.trim(), value: textOf(item.value) } : null,
  );
  return fields.every((field) => field !== null) ? fields : null;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
