// Values that fit a schema, and values that do not: most requests are wrong in only one or two places, since a request that is
// wrong everywhere is refused at once and tests nothing behind that check.
import type { Random } from "../chaos/random";
import type { Schema } from "./doors";

/** Existing ids, by the name of the field that takes them; `foreign` are those of another project. */
export type Known = { own: Map<string, string[]>; foreign: Map<string, string[]>; project: string; stranger: string };

const hugeText = "y".repeat(70_000);
const hostileTexts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "\ufeff",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "../../etc/passwd",
  "%",
  "%ZZ",
  "%00",
  "' OR 1=1 --",
  "\\",
  "$1",
  "{a}",
  "*",
  ">",
  "sys.profile",
  "human",
  "human_local",
  "2026-02-30T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59+23:59",
  "infinity",
  "NaN",
  "1e309",
  "9223372036854775808",
  "-1",
  "2147483648",
  "0x10",
  "١٢",
  "\u202e",
  "a".repeat(300),
  hugeText,
];
const hostileNumbers = [
  0,
  -1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  9_007_199_254_740_991,

  1e12,
  2 ** 40,
  1e18,
  1e308,
  -1e308,
  5e-324,
];

export function hostile(random: Random): unknown {
  return random.pick<() => unknown>([
    () => random.pick(hostileTexts),
    () => random.pick(hostileTexts),
    () => random.pick(hostileNumbers),
    () => random.pick(hostileNumbers),
    () => null,
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => nested(random.pick([3, 60, 250, 3_000])),
    () => Array.from({ length: random.pick([1, 70, 600]) }, (_, i) => i),
    () => JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": 1}, "length": -1}'),
    () => Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`, i])),
    () => ({ $ref: "#", toString: 1, valueOf: null }),
  ])();
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

export const hostileText = (random: Random): string => random.pick(hostileTexts);

/** A value that fits as far as the schema says, with a hostile one here and there. */
export function fitting(schema: Schema, name: string, random: Random, known: Known, wild: number): unknown {
  if (random.chance(wild)) return hostile(random);
  const id = idFor(name, random, known);
  if (id !== undefined && (schema.type === "string" || schema.type === undefined)) return id;
  if ("const" in schema) return schema.const;
  const options = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Schema[] | undefined;
  if (options && options.length > 0) return fitting(random.pick(options), name, random, known, wild);
  if (Array.isArray(schema.enum)) return random.pick(schema.enum as unknown[]);
  switch (Array.isArray(schema.type) ? random.pick(schema.type as string[]) : schema.type) {
    case "object":
      return objectOf(schema, random, known, wild);
    case "array":
      return arrayOf(schema, name, random, known, wild);
    case "integer":
    case "number":
      return numberOf(schema, name, random);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    default:
      return textOf(schema, random);
  }
}

function objectOf(schema: Schema, random: Random, known: Known, wild: number): unknown {
  const value: Record<string, unknown> = {};
  const required = (schema.required ?? []) as string[];
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    if (required.includes(name) ? random.chance(0.03) : random.chance(0.6)) continue;
    value[name] = fitting(member, name, random, known, wild);
  }
  if (random.chance(0.05)) value[hostileText(random)] = hostile(random);
  return value;
}

function arrayOf(schema: Schema, name: string, random: Random, known: Known, wild: number): unknown[] {
  const items = (schema.items ?? {}) as Schema;
  const singular = name.replace(/s$/, "");
  return Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => fitting(items, singular, random, known, wild));
}

function numberOf(schema: Schema, name: string, random: Random): number {
  // No waiting here: a request that waits cannot be told from one that hangs.
  if (/wait/.test(name)) return 0;
  const min = typeof schema.minimum === "number" ? schema.minimum : 0;
  const max = typeof schema.maximum === "number" ? Math.min(schema.maximum, min + 1_000) : min + 1_000;
  return random.pick([min, max, random.whole(Math.ceil(min), Math.max(Math.ceil(min), Math.floor(max)))]);
}

function textOf(schema: Schema, random: Random): string {
  if (schema.format === "date-time") return random.pick(["2026-01-01T00:00:00Z", "2027-05-01T10:00:00+02:00"]);
  return random.pick(["a", "Hand", "an instruction of some words", "text", "sys.note", "ünïcode 漢字 🚂"]);
}

const aliases: Record<string, string> = {
  name: "profile_name",
  target_ref: "profile_name",
  root_turn_id: "agent_turn_id",
};

function idFor(name: string, random: Random, known: Known): string | undefined {
  if (name === "project_id") return random.chance(0.06) ? known.stranger : known.project;
  const key = known.own.has(name)
    ? name
    : (aliases[name] ?? name.replace(/^.*?(agent_turn|box|card|agent|batch)_id$/, "$1_id"));
  const own = known.own.get(key);
  if (!own || own.length === 0) return undefined;
  const foreign = known.foreign.get(key) ?? [];
  if (foreign.length > 0 && random.chance(0.15)) return random.pick(foreign);
  return random.pick(own);
}
