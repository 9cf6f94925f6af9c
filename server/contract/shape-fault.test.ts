// An error of shape names the path and what is accepted there, for every union of the contract.
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { Decision } from "./asking";
import { ForkJoinInput } from "./batch";
import { GivenCard } from "./card";
import { PackToBuild } from "./context-pack/request";
import { DelegateInput } from "./delegation";
import { ForkBody } from "./fork-turn";
import { McpServerConfig, McpServerRef } from "./mcp-server";
import { modelNamed } from "./models";
import { CheckInput } from "./plan/plan-record";
import { RepackBody } from "./repack";
import { Script } from "./script";
import { shapeFault } from "./shape-fault";
import { formsOf } from "./shape-forms";
import { DeliverBody, StepBody } from "./work";

function faultOf(schema: z.ZodType, value: unknown): string {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error("it was accepted");
  const { path: at, message } = shapeFault(parsed.error, "body");
  return `${at}: ${message}`;
}

const Cards = z.strictObject({ cards: z.array(GivenCard).min(1) });
const withContent = (content: unknown) => ({ cards: [{ type: "task.context", content }] });
const CONTENT =
  'expected text, {kind: "text", text}, {kind: "json", data}, {kind: "fields_schema", fields}, {kind: "tool_call", tool_name, arguments} or {kind: "tool_result", status, after_execution?, result?, error?, artifacts?}';
const KINDS = '"text", "json", "fields_schema", "tool_call" or "tool_result"';
const delegate = { target_strategy: "new", target_ref: "x", instruction: "a" };

test.each<[z.ZodType, unknown, string]>([
  [Cards, withContent(5), `body.cards.0.content: ${CONTENT}; received a number`],
  [Cards, withContent(["a"]), `body.cards.0.content: ${CONTENT}; received a list`],
  [Cards, withContent({}), `body.cards.0.content.kind: is missing. Expected ${KINDS}`],
  [Cards, withContent({ kind: "txt" }), `body.cards.0.content.kind: expected ${KINDS}; received "txt"`],
  [Cards, withContent({ kind: "text" }), "body.cards.0.content.text: is missing. Expected text"],
  [
    Cards,
    withContent({ kind: "text", text: "a", more: 1 }),
    "body.cards.0.content.more: unknown field. Known fields: kind, text",
  ],
  [
    Cards,
    withContent({ kind: "tool_result", status: "ok" }),
    'body.cards.0.content.status: expected "success", "failed", "canceled", "timeout" or "partial"; received "ok"',
  ],
  [Cards, { cards: [] }, "body.cards: is empty. Give at least one item"],
  [Cards, { cards: [{ type: "", content: "x" }] }, "body.cards.0.type: is empty. Enter text"],
  [Cards, { cards: [{ type: "x".repeat(65), content: "x" }] }, "body.cards.0.type: expected at most 64 characters"],
  [DeliverBody, { epoch: 1, status: "success", content: 5 }, `body.content: ${CONTENT}; received a number`],
  [ForkBody, { replace: [{ card_id: "c", with: 3 }] }, `body.replace.0.with: ${CONTENT}; received a number`],
  [ForkBody, { at_step: true }, "body.at_step: expected a whole number or text; received true"],
  [ForkBody, { at_step: 0 }, "body.at_step: expected a number of at least 1"],
  [Decision, {}, 'body.action: is missing. Expected "answer", "approve" or "deny"'],
  [Decision, { action: "deny" }, "body.reason: is missing. Expected text"],
  [StepBody, { epoch: 1, phase: "done" }, 'body.phase: expected "started", "completed" or "failed"; received "done"'],
  [StepBody, { epoch: 1, phase: "failed", step_id: "s" }, "body.error: is missing. Expected text"],
  [
    DelegateInput,
    { ...delegate, context_box_id: 5 },
    "body.context_box_id: expected text or a list of text; received a number",
  ],
  [
    DelegateInput,
    { ...delegate, contxt: 1 },
    "body.contxt: unknown field. Known fields: target_strategy, target_ref, instruction, context_box_id, context_card_ids, load, recipe, arguments, context_tokens_max, context_pack",
  ],
  [DelegateInput, undefined, "body: is missing. Expected an object with target_strategy, target_ref and instruction"],
  [z.strictObject({ any: z.unknown() }), {}, "body.any: is missing. Expected a value"],
  [
    z.strictObject({ some: z.strictObject({ a: z.string().optional() }) }),
    {},
    "body.some: is missing. Expected an object",
  ],
  [z.strictObject({ two: z.tuple([z.string()]) }), {}, "body.two: is missing. Expected a list"],
  [McpServerRef, 5, "body: expected text or {name, url?, headers?, timeout_seconds?}; received a number"],
  [McpServerRef, { nme: "x" }, "body.name: is missing. Expected text"],
  [McpServerConfig, { command: 5 }, "body.command: expected text; received a number"],
  [Script, [{ think: 5 }], "body.0.think: expected text; received a number"],
  [Script, [{ foo: 1 }], expect.stringMatching(/^body\.0: a step is one of think, call/)],
  [Script, [{ call: "x", arguments: 5 }], "body.0.arguments: expected an object or text; received a number"],
])("a fault of shape, row %#", (schema, value, said) => expect(faultOf(schema, value)).toEqual(said));

test("a key that does not fit says what its own schema asks for", () => {
  expect(faultOf(CheckInput, { plan: "p", inputs: { "A B": "x" } })).toBe(
    "body.inputs.A B: is not the name of an input",
  );
  expect(faultOf(RepackBody, { arguments: { "": 1 } })).toBe("body.arguments.: is empty. Enter text");
  expect(faultOf(RepackBody, { arguments: { ["x".repeat(129)]: 1 } })).toMatch(/: expected at most 128 characters$/);
});

test("a value in the wrong place is not repeated, since it may be a secret", () => {
  expect(faultOf(z.strictObject({ limit: z.int() }), { limit: "sk-secret" })).toBe(
    "body.limit: expected a whole number; received text",
  );
});

test("every union of the contract says which forms it has", async () => {
  const unions = await unionsOfContract();
  expect(unions.size).toBeGreaterThan(15);
  const silent = [...unions].flatMap(([union, where]) => {
    const refused = [UNPRINTABLE, 5, true, null, "", [], {}]
      .map((value) => union.safeParse(value))
      .find(({ success }) => !success);
    if (!refused?.error) return [];
    const { message } = shapeFault(refused.error);
    return message.includes("Invalid input") || formsOf(union).includes("a value") ? [`${where}: ${message}`] : [];
  });
  expect(silent).toEqual([]);
});

/** `String` throws for it. */
const UNPRINTABLE = { toString: 1, valueOf: null };

test("a value that cannot be turned into a string is refused, not thrown over", () => {
  expect(faultOf(Decision, { action: UNPRINTABLE })).toContain("received an object");
  expect(faultOf(ForkJoinInput, { tasks: [], fail_fast: UNPRINTABLE })).toBe("body.tasks: give at least one task");
  expect(modelNamed({ model: "a", provider_options: { custom_llm_provider: UNPRINTABLE } })).toMatchObject({
    fault: { message: expect.stringContaining('{"toString":1,"valueOf":null}') },
  });
});

test("a number that is too large to be one is named as such", () => {
  const given = JSON.parse('{"goal": "g", "constraints": {"n": 1e999}}');
  expect(faultOf(PackToBuild, given)).toMatch(
    /^body\.constraints\.n: .*; received a number that is too large, or is none$/,
  );
});

/** The schemas inside a schema. z.json refers to itself and is skipped: it builds a new schema at each access. */
const PARTS = ["options", "element", "innerType", "in", "out", "shape", "valueType", "items"];

/** Each with its file, at any depth. */
async function unionsOfContract(): Promise<Map<z.ZodType, string>> {
  const folder = import.meta.dirname;
  const found = new Map<z.ZodType, string>();
  const seen = new Set<unknown>();
  const visit = (schema: unknown, file: string) => {
    if (!(schema instanceof z.ZodType) || seen.has(schema)) return;
    seen.add(schema);
    if (schema instanceof z.ZodUnion) found.set(schema, file);
    const def = schema._zod.def as unknown as Record<string, unknown>;
    for (const part of PARTS.map((name) => def[name]))
      for (const child of part instanceof z.ZodType ? [part] : Object.values(part ?? {})) visit(child, file);
  };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
      for (const value of Object.values(await import(path.join(folder, name)))) visit(value, name);
  return found;
}
