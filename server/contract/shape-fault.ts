// What is wrong with the shape of outside data: where, and what is accepted there. The one place that turns zod's issues into
// messages, for REST, tRPC, tools, profiles and files. A union said only "Invalid input".
import * as z from "zod";
import { formsOf, orList } from "./shape-forms";
import { shownKey } from "./shown-key";
import { remedyOf } from "./unknown-field";

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

// Set for the whole process: tRPC parses by itself, and only here the schema of an issue is available.
z.config({ customError: wordsOf });

/** The first fault. `path` has `root` before it; `message` does not repeat the path. */
export function shapeFault(error: z.ZodError, ...root: string[]): { path: string; message: string } {
  const [first] = error.issues;
  if (!first) return { path: root.join("."), message: "is malformed" };
  const { path, message } = deepest(first);
  return { path: [...root, ...path.map(shownKey)].join("."), message };
}

type Place = { path: PropertyKey[]; message: string };

/** For a union: the fault in the intended form, if one form is clearly the nearest. For a key: what its own schema says of it. */
function deepest(issue: Issue): Place {
  const here = { path: [...issue.path, ...keysOf(issue)], message: issue.message };
  if (issue.code === "invalid_key") return { ...here, message: issue.issues[0]?.message ?? issue.message };
  if (issue.code !== "invalid_union") return here;
  const near = issue.errors
    .filter((faults) => faults.every((fault) => [...fault.path, ...keysOf(fault)].length > 0))
    .sort((a, b) => a.length - b.length);
  const [best, next] = near;
  const [fault] = best ?? [];
  if (!fault || best?.length === next?.length) return here;
  const inner = deepest(fault);
  return { path: [...issue.path, ...inner.path], message: inner.message };
}

const keysOf = (issue: Issue): string[] => (issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : []);

/** Undefined = zod's own message. Schemas with their own message never get here. */
function wordsOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_union":
      return ofUnion(issue);
    case "invalid_type":
      return expected(typeOf(issue), kindOf(issue.input));
    case "invalid_value":
      return expected(orList(issue.values.map(quoted)), shown(issue.input));
    case "unrecognized_keys":
      return `unknown field. ${remedyOf(issue.keys[0], fieldsOf(issue.inst))}`;
    case "too_small":
      return ofBound(issue.origin, "at least", issue.minimum);
    case "too_big":
      return ofBound(issue.origin, "at most", issue.maximum);
    default:
      return undefined;
  }
}

function ofUnion(issue: Extract<RawIssue, { code: "invalid_union" }>): string | undefined {
  const { inst, input, discriminator, options } = issue as RawIssue & { discriminator?: string; options?: unknown[] };
  if (discriminator === undefined || !options)
    return inst ? expected(orList(formsOf(inst as z.core.$ZodType)), kindOf(input)) : undefined;
  return expected(orList(options.map(quoted)), shown((input as Record<string, unknown>)[discriminator]));
}

const expected = (what: string, received: string | null): string =>
  received === null ? `is missing. Expected ${what}` : `expected ${what}; received ${received}`;

/** Null = nothing was given. Never shows the value: it may be a secret in the wrong field. */
function kindOf(given: unknown): string | null {
  if (given === undefined) return null;
  if (given === null) return "null";
  if (Array.isArray(given)) return "a list";
  if (typeof given === "boolean") return String(given);
  // 1e999 is JSON and is read as Infinity: "expected a number; received a number" said nothing.
  if (typeof given === "number" && !Number.isFinite(given)) return "a number that is too large, or is none";
  return { string: "text", number: "a number", object: "an object" }[typeof given as string] ?? "";
}

/** The same for a word from a list. */
const shown = (given: unknown): string | null =>
  typeof given === "string" && given.length <= SHOWN_MAX ? quoted(given) : kindOf(given);
const SHOWN_MAX = 40;

const quoted = (value: unknown): string => JSON.stringify(value) ?? "";

/** Whole numbers are numbers with a format. */
function typeOf({ expected: type, inst, input }: Extract<RawIssue, { code: "invalid_type" }>): string {
  if (type === "number" && inst) return formsOf(inst as z.core.$ZodType)[0] ?? "a number";
  if (type === "object" && input === undefined) return objectWith(requiredOf(inst));
  // A word of zod's own, such as "nonoptional", told nobody what to send.
  return nameOf[type] ?? "a value";
}

const objectWith = (fields: string[]): string =>
  fields.length === 0
    ? "an object"
    : `an object with ${fields.length === 1 ? fields[0] : `${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}`}`;

/** The first error of a newcomer was about an object that was not there: what belongs into it says more than "an object". */
const requiredOf = (inst: RawIssue["inst"]): string[] => {
  const { shape = {} } = (inst?._zod.def ?? {}) as { shape?: Record<string, z.core.$ZodType> };
  return Object.entries(shape).flatMap(([name, schema]) => (schema._zod.optin === undefined ? name : []));
};

const nameOf: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  undefined: "nothing",
  never: "nothing",
  void: "nothing",
  nonoptional: "a value",
  tuple: "a list",
};

function fieldsOf(inst: RawIssue["inst"]): string[] {
  const { shape } = (inst?._zod.def ?? {}) as { shape?: Record<string, unknown> };
  return Object.keys(shape ?? {});
}

function ofBound(origin: string, word: string, bound: number | bigint): string | undefined {
  const many = (one: string) => `expected ${word} ${bound} ${one}${Number(bound) === 1 ? "" : "s"}`;
  if (word === "at least" && Number(bound) === 1 && origin === "string") return "is empty. Enter text";
  if (word === "at least" && Number(bound) === 1 && origin === "array") return "is empty. Give at least one item";
  if (origin === "string") return many("character");
  if (origin === "array" || origin === "set") return many("item");
  return origin === "number" || origin === "int" ? `expected a number of ${word} ${bound}` : undefined;
}
