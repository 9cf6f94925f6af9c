// A tool's parameters as every provider takes them. They come from projects and MCP servers in any JSON Schema there is, and
// one that a provider refuses fails every request of every agent that is offered the tool, whether it is called or not.
import { isRecord } from "@/server/contract/is-record";
import { type ProviderName, providerClients } from "@/server/contract/models";

type Schema = Record<string, unknown>;

export function toolSchema(parameters: Schema, provider: ProviderName): Schema {
  const isGemini = providerClients[provider] === "google";
  return atTop(mended(parameters, isGemini ? forGemini : (schema) => schema));
}

const ALTERNATIVES = ["anyOf", "oneOf", "allOf"] as const;
const MAPS = ["properties", "$defs", "definitions"] as const;
const LISTS = [...ALTERNATIVES, "items", "prefixItems"] as const;

/** From the inside out. OpenAI refuses a list that does not say of what. */
function mended(schema: Schema, told: (schema: Schema) => Schema): Schema {
  const inner = (value: unknown) => (isRecord(value) ? mended(value, told) : value === true ? told({}) : value);
  const out = { ...schema };
  for (const name of MAPS) {
    const map = out[name];
    if (isRecord(map)) out[name] = Object.fromEntries(Object.entries(map).map(([key, one]) => [key, inner(one)]));
  }
  for (const name of LISTS) {
    const list = out[name];
    if (Array.isArray(list)) out[name] = list.map(inner);
  }
  if (Array.isArray(out.items)) out.items = { anyOf: out.items };
  else if (isRecord(out.items)) out.items = inner(out.items);
  else if (typesOf(out).includes("array")) out.items = told({});
  return told(out);
}

/**
 * OpenAI asks for `properties`, all ask for an object, and OpenAI and Anthropic take no alternatives here: what each of them
 * may hold is offered together, and a call that mixes them is the tool's to refuse.
 */
function atTop(schema: Schema): Schema {
  const { $schema: _meta, anyOf, oneOf, allOf, not: _not, enum: _enum, ...rest } = schema;
  const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isRecord);
  const properties = [...parts, rest].map((part) => part.properties).filter(isRecord);
  return { ...rest, type: "object", properties: Object.assign({}, ...properties) };
}

const PLAIN = ["string", "number", "boolean", "object"].map((type) => ({ type }));
const ANYTHING = [...PLAIN, { type: "array", items: { type: "string" } }];

/** Gemini refuses a value without a type and most formats of texts; its client throws at what it cannot translate. */
function forGemini(schema: Schema): Schema {
  const out = { ...schema };
  const types = typesOf(out).filter((type) => type !== "null");
  if (out.format !== "date-time" && (types.length !== 1 || types[0] === "string")) delete out.format;
  if (!isOneOf(out)) {
    delete out.enum;
    delete out.const;
  }
  if (typeof out.$ref === "string" && !/^#\/(\$defs|definitions)\/[^/]+$/.test(out.$ref)) delete out.$ref;
  if (types.length > 1) {
    const { type: _several, items, ...others } = out;
    return { ...others, anyOf: types.map((type) => (type === "array" ? { type, items } : { type })) };
  }
  const isTold = types.length > 0 || ["$ref", "enum", "const", ...ALTERNATIVES].some((name) => out[name] !== undefined);
  if (isTold) return out;
  if (isRecord(out.properties)) return { ...out, type: "object" };
  return isRecord(out.items) ? { ...out, type: "array" } : { ...out, anyOf: ANYTHING };
}

/** Values of one kind, and of the kind that the type says. */
function isOneOf({ type, enum: values, const: value }: Schema): boolean {
  const kinds = new Set(
    (Array.isArray(values) ? values : [value]).filter((one) => one !== null).map((one) => typeof one),
  );
  const [kind] = kinds;
  if (kinds.size !== 1 || (kind !== "string" && kind !== "number" && kind !== "boolean")) return false;
  const types = typesOf({ type });
  return types.length === 0 || types.some((one) => one === kind || (one === "integer" && kind === "number"));
}

const typesOf = ({ type }: Schema): unknown[] => (Array.isArray(type) ? type : type === undefined ? [] : [type]);
