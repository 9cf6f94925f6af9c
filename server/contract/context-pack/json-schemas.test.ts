// The published schemas accept and refuse what we do: a validator that nobody here wrote agrees on ten thousand documents, valid
// ones and broken ones.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { canonicalJson } from "../canonical-json";
import { ArtifactName } from "./artifact-name";
import { Envelope } from "./envelope";
import { JoinGate } from "./join-gate";
import { jsonSchemaOf, type SchemaName, schemaNames } from "./json-schemas";
import { ContextPack } from "./pack";
import { Sidecar } from "./sidecar";

const ajv = new Ajv2020({ strict: true, allErrors: false });
const compiled = Object.fromEntries(schemaNames.map((name) => [name, ajv.compile(jsonSchemaOf(name))])) as Record<
  SchemaName,
  ValidateFunction
>;

const shapes: Record<SchemaName, z.ZodType> = {
  "context-pack.schema.json": ContextPack,
  "edge-payload.schema.json": Envelope,
  "context-pack-sidecar.schema.json": Sidecar,
  "artifact-reference.schema.json": ArtifactName,
  "join-gate.schema.json": JoinGate,
};

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const id = fc.uuid();
const digest = fc.tuple(fc.constantFrom("", "sha256:"), hex(64)).map((parts) => parts.join(""));
const moment = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const text = fc.string({ maxLength: 12, unit: "grapheme" });
const texts = fc.array(text, { maxLength: 2 });
const open = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>, { maxKeys: 3 });
const listOf = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 2 });
const count = fc.nat();

/** `?` after a name: may be left out. */
function record(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const names = Object.keys(members);
  const model = Object.fromEntries(Object.entries(members).map(([name, one]) => [name.replace("?", ""), one]));
  return fc.record(model, { requiredKeys: names.filter((name) => !name.endsWith("?")) });
}

const artifact = {
  ref: text,
  type: fc.constantFrom("diff", "log", "context_pack"),
  "summary?": text,
  "sha256?": digest,
};
const doc = { path: text, "anchors?": texts, "excerpt?": text, "priority?": fc.constantFrom("low", "medium", "high") };
const file = { path: text, "purpose?": text, "excerpt?": text, "hash?": text };
const decision = { id: text, summary: text, "rationale?": text, "links?": texts };

const documents: Record<SchemaName, fc.Arbitrary<unknown>> = {
  "context-pack.schema.json": record({
    packId: id,
    "runId?": text,
    "nodeId?": text,
    "createdAt?": moment,
    goal: text,
    definitionOfDone: texts,
    globalMode: fc.constantFrom("planning", "implementation"),
    "nodeMode?": fc.constantFrom("auto", "interactive"),
    docsRoot: text,
    docRefs: listOf(record(doc)),
    "repoFacts?": open,
    "workspace?": record({ "mode?": fc.constantFrom("shared", "copy"), "rootPath?": text, "branch?": text }),
    "relevantFiles?": listOf(record(file)),
    "inputs?": listOf(record({ payloadId: id, "fromNodeId?": text, "edgeId?": text })),
    "artifacts?": listOf(record(artifact)),
    "decisions?": listOf(record(decision)),
    "constraints?": open,
    "toolPolicy?": open,
    "outputSchemaRef?": text,
  }),
  "edge-payload.schema.json": record({
    payloadId: id,
    kind: fc.constantFrom("message", "structured", "join", "unknown"),
    fromNodeId: text,
    edgeId: text,
    createdAt: moment,
    status: record({ ok: fc.boolean(), "code?": text, "reason?": text }),
    "message?": record({ content: text, "format?": fc.constantFrom("text", "markdown", "json") }),
    "structured?": open,
    "artifacts?": listOf(record({ ...artifact, "mime?": text })),
    "contextPackRef?": record({ ...artifact, type: fc.constant("context_pack") }),
    "provenance?": open,
  }),
  "context-pack-sidecar.schema.json": record({
    packId: id,
    sha256: hex(64),
    builderVersion: fc.integer({ min: 1, max: 9 }),
    rulesetVersion: text,
    estimator: fc.constantFrom("o200k", "bytes4"),
    profile: fc.constantFrom("routine", "expanded"),
    estimate: count,
    sources: listOf(record({ pointer: text, kind: fc.constantFrom("doc", "pack"), ref: text, "sha256?": hex(64) })),
    trimmed: listOf(
      record({
        step: fc.integer({ min: 1, max: 8 }),
        action: fc.constantFrom("shortened", "removed"),
        field: text,
        key: text,
        bytesBefore: count,
        bytesAfter: count,
      }),
    ),
    redactions: listOf(record({ pointer: text, kind: text, count: fc.integer({ min: 1, max: 9 }) })),
    conflicts: listOf(
      record({ code: fc.constant("decision_conflict"), field: text, key: text, kept: text, other: text }),
    ),
    warnings: texts,
  }),
  "artifact-reference.schema.json": fc
    .tuple(
      hex(4),
      fc.array(fc.oneof(hex(3), fc.constantFrom("..", ".", "", "a b", "x..y", "%2e")), { minLength: 1, maxLength: 3 }),
    )
    .map(([area, parts]) => `artifact://${area}/${parts.join("/")}`),
  "join-gate.schema.json": record({
    type: fc.constant("join_gate"),
    id: text,
    policy: fc.oneof(
      record({ kind: fc.constantFrom("all", "any") }),
      record({ kind: fc.constant("quorum"), k: fc.integer({ min: 1, max: 9 }) }),
    ),
    requiredInputs: fc.array(record({ fromNodeId: text, edgeId: text }), { minLength: 1, maxLength: 2 }),
    "timeoutMs?": fc.integer({ min: 1, max: 9 }),
    "onTimeout?": fc.constantFrom("emit_partial", "wait"),
  }),
};

/** What somebody may write instead of the right value. */
const odd = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  "",
  "x",
  "2026-02-30T00:00:00Z",
  [],
  {},
  [null],
  { a: 1 },
  [[]],
);
type Break = { at: number; way: "replace" | "remove" | "add"; value: unknown; name: string };
const breaks = fc.record<Break>({
  at: fc.nat({ max: 60 }),
  way: fc.constantFrom("replace", "remove", "add"),
  value: odd,
  name: fc.constantFrom("mime", "summary", "__proto__", "toString", "", "extra"),
});

/** Changes one member, at any depth. */
function broken(document: unknown, { at, way, value, name }: Break): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(document));
  const places: { owner: Record<string, unknown>; key: string }[] = [];
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    for (const key of Object.keys(node)) {
      places.push({ owner: node as Record<string, unknown>, key });
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return value;
  const { owner, key } = place;
  if (way === "replace")
    Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });
  else if (way === "add" && Array.isArray(owner)) owner.push(value);
  else if (way === "add")
    Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
  else if (Array.isArray(owner)) owner.splice(Number(key), 1);
  else delete owner[key];
  return copy;
}

describe("ajv and zod agree", () => {
  test.each(schemaNames)("on two thousand documents of %s, valid and broken", { timeout: 120_000 }, (name) => {
    const verdicts = { valid: 0, broken: 0 };
    fc.assert(
      fc.property(documents[name], fc.option(breaks, { freq: 2 }), (document, change) => {
        const given = change === null ? document : broken(document, change);
        const { success, data } = shapes[name].safeParse(given);
        verdicts[success ? "valid" : "broken"] += 1;
        expect(compiled[name](given)).toBe(success);
        // Nothing is filled in. A member named __proto__ of an open object is refused before anything is parsed.
        if (success && !JSON.stringify(given).includes("__proto__"))
          expect(canonicalJson(data)).toBe(canonicalJson(given));
      }),
      { numRuns: 2_000 },
    );
    expect(verdicts.valid).toBeGreaterThan(200);
    expect(verdicts.broken).toBeGreaterThan(200);
  });
});

test("closed objects, an id each, and the dialect of 2020-12", () => {
  for (const name of schemaNames) {
    const schema = jsonSchemaOf(name);
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `urn:switchyard:schemas:${name}`,
    });
    const isOpen = ({ properties, additionalProperties }: Record<string, unknown>): boolean =>
      properties !== undefined && additionalProperties !== false;
    const objects: Record<string, unknown>[] = [];
    JSON.stringify(schema, (_, value: unknown) => {
      if (value !== null && typeof value === "object" && "type" in value)
        objects.push(value as Record<string, unknown>);
      return value;
    });
    expect(objects.filter(isOpen)).toEqual([]);
  }
});
