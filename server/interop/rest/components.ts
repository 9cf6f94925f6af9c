// Zod shapes as JSON Schema with every named shape under components/schemas. By default zod puts them into `$defs` of each
// schema, under names like `__schema0`, which client generators cannot follow.
import * as z from "zod";

export type Json = Record<string, unknown>;

/** Replaces a recursive shape: TypeScript refuses a type that refers to itself. */
const ANY_JSON: Json = { description: "Any JSON value." };
const PREFIX = "#/$defs/";

export class Components {
  readonly schemas: Record<string, Json> = {};

  /** `taken`: what a handler takes that reads a body by itself, by the id of its z.unknown(). */
  constructor(private readonly taken: Record<string, z.ZodType> = {}) {}

  /** What a client sends: fields with a default are optional. */
  input(schema: z.ZodType): Json {
    return this.hoist(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json, "Input");
  }

  /** What the server returns. Clients must accept fields added later, so no object is closed. */
  output(schema: z.ZodType): Json {
    return this.hoist(opened(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" })) as Json, "");
  }

  private hoist({ $schema: _dialect, $defs = {}, ...schema }: Json, suffix: string): Json {
    const defs = $defs as Record<string, Json>;
    const names = new Map<string, string>();
    const isNamed = typeof schema.id === "string";
    if (isNamed) defs[schema.id as string] = schema;
    for (const key of Object.keys(defs)) names.set(key, isJsonValue(defs[key]) ? "JsonValue" : `${key}${suffix}`);
    for (const [key, name] of names) {
      const taken = suffix === "" ? undefined : this.taken[key];
      this.add(name, key, taken ? (withoutDefaults(this.input(taken)) as Json) : (renamed(defs[key], names) as Json));
    }
    if (isNamed) return { $ref: `#/components/schemas/${names.get(schema.id as string)}` };
    return renamed(schema, names) as Json;
  }

  private add(name: string, key: string, { id: _id, ...schema }: Json): void {
    if (/^__schema/.test(key) && name !== "JsonValue")
      throw new Error(
        `a shape refers to itself and has no name; give it one with .meta({ id }): ${JSON.stringify(schema)}`,
      );
    const known = this.schemas[name];
    if (known && known !== ANY_JSON && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different shapes are named ${name}; give one of them another id`);
    this.schemas[name] = name === "JsonValue" ? ANY_JSON : schema;
  }
}

/** z.json(), which is recursive and a new object each time. */
function isJsonValue(schema: Json | undefined): boolean {
  const kinds = (schema?.anyOf as Json[] | undefined)?.map((one) => one.type);
  return kinds?.join() === "string,number,boolean,null,array,object";
}

function renamed(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== "$ref" || typeof inner !== "string") return [key, renamed(inner, names)];
      if (!inner.startsWith(PREFIX)) throw new Error(`a shape refers to ${inner}; give what it refers to a name`);
      const name = inner.slice(PREFIX.length);
      return [key, `#/components/schemas/${names.get(name) ?? name}`];
    }),
  );
}

/** Defaults as words: generators take a field with a default for one that is always there, in a named shape. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (value === null || typeof value !== "object") return value;
  const { default: preset, properties, ...schema } = value as Json;
  const words = [schema.description, preset === undefined ? undefined : `Default: ${JSON.stringify(preset)}.`];
  const fields = Object.entries((properties ?? {}) as Json).map(([key, field]) => [key, withoutDefaults(field)]);
  return {
    ...Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, withoutDefaults(inner)])),
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(words.some(Boolean) && { description: words.filter(Boolean).join(" ") }),
  };
}

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([key, inner]) => key !== "additionalProperties" || inner !== false);
  return Object.fromEntries(entries.map(([key, inner]) => [key, opened(inner)]));
}
