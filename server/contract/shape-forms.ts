// The forms that a schema accepts, short enough for one line of an error.
import type * as z from "zod";

type Def = {
  type: string;
  format?: string;
  values?: unknown[];
  entries?: Record<string, unknown>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  shape?: Record<string, z.core.$ZodType>;
};

const KEYS_MAX = 6;

/** `text`, `a list of text`, `{kind: "text", text}`: each form once. */
export const formsOf = (schema: z.core.$ZodType): string[] => [...new Set(all(schema))];

export function orList(forms: string[]): string {
  return forms.length < 2 ? (forms[0] ?? "something else") : `${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}`;
}

function all(schema: z.core.$ZodType): string[] {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case "union":
      return (def.options ?? []).flatMap(all);
    case "literal":
      return (def.values ?? []).map((value) => JSON.stringify(value));
    case "enum":
      return Object.values(def.entries ?? {}).map((value) => JSON.stringify(value));
    case "nullable":
      return [...inner(def.innerType), "null"];
    case "pipe":
      return inner(def.in?._zod.def.type === "transform" ? def.out : def.in);
    case "array":
      return [listOf(inner(def.element))];
    case "object":
      return [objectOf(def.shape ?? {})];
    case "number":
      return [def.format?.includes("int") ? "a whole number" : "a number"];
    default:
      return def.innerType ? inner(def.innerType) : [NAMES[def.type] ?? "a value"];
  }
}

const NAMES: Record<string, string> = {
  string: "text",
  boolean: "true or false",
  null: "null",
  record: "an object",
  lazy: "any JSON value",
  any: "any value",
  unknown: "any value",
};

const inner = (schema: z.core.$ZodType | undefined): string[] => (schema ? all(schema) : []);

const listOf = (items: string[]): string =>
  items.length === 1 && !items[0]?.startsWith("a list") ? `a list of ${items[0]}` : "a list";

/** Its fields by name. Fixed values are written out, since they distinguish the forms. */
function objectOf(shape: Record<string, z.core.$ZodType>): string {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const { type, values } = schema._zod.def as Def;
    if (type === "literal" && values?.length === 1) return `${name}: ${JSON.stringify(values[0])}`;
    return schema._zod.optin === undefined ? name : `${name}?`;
  });
  const shown = fields.slice(0, KEYS_MAX);
  return `{${shown.join(", ")}${fields.length > KEYS_MAX ? ", ..." : ""}}`;
}
