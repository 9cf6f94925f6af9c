// Parameters that providers refuse: found in the wild, at MCP servers and in our own tools.
import { expect, test } from "vitest";
import { internalTools } from "@/server/contract/tool";
import { parseEnv } from "@/server/env";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { toolSchema } from "@/server/kernel/tokens/tool-schema";
import { allowedTools } from "@/server/kernel/tools/inline-tools";
import { modelFor, modelsOf } from "./models";

type Schema = Record<string, unknown>;

const models = modelsOf(() => parseEnv({ GEMINI_API_KEY: "k" }));

/** What goes over the wire to Gemini. */
async function declared(tools: { tool_name: string; description: string; parameters: Schema }[]): Promise<Schema[]> {
  const llm_config = { model: "gemini/gemini-3-flash-preview" };
  const turn = { display_name: "A", instruction: "", context_box_id: "c", output_box_id: "o", own_cards: [] };
  const request = { system: "", messages: [], tools, llm_config, turn };
  const body = JSON.parse(await modelFor(models, llm_config).serialise(request));
  return body.tools[0].functionDeclarations;
}

const parametersOf = async (parameters: Schema) =>
  (await declared([{ tool_name: "odd", description: "", parameters }]))[0]?.parameters as Schema;

/** Paths of values that Gemini would refuse for want of a type. */
function untyped(schema: unknown, path = ""): string[] {
  if (schema === null || typeof schema !== "object") return [];
  const { type, anyOf, items, properties } = schema as { [name: string]: unknown; properties?: Schema };
  const own = type === undefined && !Array.isArray(anyOf) ? [path] : [];
  const listed = type === "array" && items === undefined ? [`${path}[]`] : [];
  const inner = [
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => untyped(one, `${path}.${name}`)),
    ...(items === undefined ? [] : untyped(items, `${path}[]`)),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((one, n) => untyped(one, `${path}|${n}`)) : []),
  ];
  return [...own, ...listed, ...inner];
}

test("Gemini accepts all of Switchyard's own tools", async () => {
  const { body } = parseProfile({ name: "A", allowed_tools: [...internalTools] });
  const tools = allowedTools(body, []);
  expect(tools).toHaveLength(internalTools.length);
  const faults = (await declared(tools)).flatMap(({ name, parameters }) =>
    parameters === undefined ? [] : untyped(parameters, String(name)),
  );
  expect(faults).toEqual([]);
});

test("Gemini: each value has a type, lists name their item type, and formats that it refuses are left out", async () => {
  const parameters = {
    type: "object",
    properties: {
      any: {},
      yes: true,
      list: { type: "array" },
      lists: { type: "array", items: {} },
      both: { type: ["array", "string", "null"] },
      pair: { type: "array", items: [{ type: "string" }, { type: "integer" }] },
      url: { type: "string", format: "uri" },
      when: { type: "string", format: "date-time" },
      count: { type: "integer", format: "int32" },
      inner: { properties: { x: { type: "string" } } },
      named: { $ref: "#/$defs/Named" },
      lost: { $ref: "https://elsewhere.example/schema.json" },
      mixed: { enum: ["a", 1], description: "a or 1" },
      odd: { type: "string", enum: [1, 2] },
      one: { enum: ["a", "b"] },
    },
    $defs: { Named: { type: "object", properties: { free: {} } } },
  };
  const made = await parametersOf(parameters);
  expect(untyped(made)).toEqual([]);
  const properties = made.properties as Record<string, Schema>;
  expect(properties.url).toEqual({ type: "string" });
  expect(properties.when).toEqual({ type: "string", format: "date-time" });
  expect(properties.count).toEqual({ type: "integer", format: "int32" });
  expect(properties.one).toEqual({ type: "string", enum: ["a", "b"] });
  expect(properties.odd).toEqual({ type: "string" });
  expect(properties.mixed).toMatchObject({ description: "a or 1", anyOf: expect.any(Array) });
});

test.each(["openai", "anthropic", "openrouter"] as const)(
  "%s: an object with properties, whatever was given",
  (provider) => {
    expect(toolSchema({}, provider)).toEqual({ type: "object", properties: {} });
    expect(toolSchema({ $schema: "s", type: "object" }, provider)).toEqual({ type: "object", properties: {} });
    const list = {
      type: "object",
      properties: { a: { type: "array" }, b: {} },
      required: ["a"],
      additionalProperties: false,
    };
    expect(toolSchema(list, provider)).toEqual({ ...list, properties: { a: { type: "array", items: {} }, b: {} } });
    const either = {
      properties: { c: { type: "string" } },
      oneOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: { type: "string" } } }],
    };
    expect(toolSchema(either, provider)).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
    });
  },
);

test("a valid schema stays as it is", () => {
  const good = {
    type: "object",
    properties: { tags: { type: "array", items: { type: "string" } }, either: { anyOf: [{ type: "string" }] } },
    required: ["tags"],
    additionalProperties: false,
  };
  for (const provider of ["openai", "anthropic", "google", "moonshot"] as const)
    expect(toolSchema(good, provider)).toEqual(good);
});
