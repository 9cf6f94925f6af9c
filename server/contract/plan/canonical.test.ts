// One text for one plan: however it was written, wherever it stands, and as long as it says the same.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleBody, planFrom } from "@/server/testing/plans";
import { isRecord } from "../is-record";
import { canonicalPlan } from "./canonical";
import { parsePlan } from "./parse-plan";
import type { Plan } from "./plan";

const hashOf = (plan: Plan) => createHash("sha256").update(canonicalPlan(plan)).digest("hex");

const example = (name: string) => exampleBody(name, { BOX_OF_SOURCES: "box_1", CARD_OF_UNITS: "card_1" });

/** A value other than the default in every field that has one. */
const rich = {
  switchyard: "plan/1",
  name: "rich",
  inputs: [{ name: "x", kind: "text", required: false, default: "", description: "d" }],
  nodes: [
    {
      id: "a",
      kind: "wagon",
      hold: true,
      disabled: true,
      target: { strategy: "clone", ref: "agent_1" },
      instruction: "Do",
      load: [{ input: "x" }],
      attempts: 2,
      arguments: { take: "deliverable", hold: false, "10": [], "9": {}, deep: { on: "delivered" } },
      edits: [{ card_id: "c" }],
      handover: {
        context_packing_config: {
          pack_arguments: [{ arg_key: "instruction" }, { arg_key: "k", as_card_type: "task.context" }],
          inherit_context: { redact: true },
          order: "inherited_first",
        },
      },
    },
    { id: "b", kind: "ask", after: [{ node: "a", on: "ended" }, { node: "a" }], handover: {} },
    {
      id: "c",
      kind: "fork",
      gate: { fail_fast: true },
      load: [{ from: "a", take: "output" }, { from: "a" }],
      tasks: [{ id: "t", target: { ref: "P" }, handover: { context_packing_config: {} } }],
    },
  ],
  limits: { turns_max: 5 },
  run_by: { profiles: ["P"] },
};
const shapes = [rich, example("storage-brief"), example("incident-triage")];

const coins = fc.infiniteStream(fc.nat({ max: 1_000 }));
type Coin = () => number;
const coinOf =
  (stream: Iterator<number>): Coin =>
  () =>
    stream.next().value ?? 0;

function shuffled(value: unknown, coin: Coin): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, coin));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => ({ key, member: shuffled(member, coin), at: coin() }));
  return Object.fromEntries(entries.sort((a, b) => a.at - b.at).map(({ key, member }) => [key, member]));
}

/** The sparse form with some of the defaults of the full one written out. */
function between(sparse: unknown, full: unknown, coin: Coin): unknown {
  if (Array.isArray(full)) {
    const list = Array.isArray(sparse) ? sparse : [];
    return full.map((item, i) => between(list[i], item, coin));
  }
  if (!isRecord(full)) return full;
  const own = isRecord(sparse) ? sparse : {};
  const names = Object.keys(full).filter((key) => full[key] !== undefined && (key in own || coin() % 2 === 0));
  return Object.fromEntries(names.map((key) => [key, between(own[key], full[key], coin)]));
}

describe.each(shapes.map((body) => [planFrom(body), body] as const))("%#", (plan, body) => {
  const text = canonicalPlan(plan);
  test("is the same for every order of keys and every layout", () => {
    const layouts = fc.dictionary(
      fc.constantFrom("a", "b", "c.t"),
      fc.record({ col: fc.nat({ max: 99 }), row: fc.nat({ max: 99 }) }),
    );
    fc.assert(
      fc.property(coins, layouts, (stream, places) => {
        const other = shuffled({ ...(isRecord(body) && body), layout: { places } }, coinOf(stream));
        expect(canonicalPlan(planFrom(other))).toBe(text);
      }),
    );
  });
  test("is the same whichever defaults are written out", () => {
    fc.assert(
      fc.property(coins, (stream) => {
        expect(canonicalPlan(planFrom(between(JSON.parse(text), plan, coinOf(stream))))).toBe(text);
      }),
    );
  });
  test("reads back as the same plan, and every key left in it says something", () => {
    expect(planFrom(JSON.parse(text))).toEqual({ ...plan, layout: { places: {}, notes: [] } });
    for (const less of withoutOneKey(JSON.parse(text))) {
      const read = parsePlan(less);
      expect("plan" in read && canonicalPlan(read.plan), JSON.stringify(less)).not.toBe(text);
    }
  });
});

function withoutOneKey(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item, i) => withoutOneKey(item).map((less) => value.map((one, j) => (i === j ? less : one))));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const { [key]: _, ...rest } = value;
    return [rest, ...withoutOneKey(member).map((less) => ({ ...value, [key]: less }))];
  });
}

test("another instruction, order of loads or result is another plan", () => {
  const { nodes } = rich;
  const [a, b, c] = nodes;
  const others = [
    { ...rich, nodes: [{ ...a, instruction: "Do it" }, b, c] },
    { ...rich, nodes: [a, b, { ...c, load: [{ from: "a" }, { from: "a", take: "output" }] }] },
    { ...rich, nodes: [b, a, c] },
    { ...rich, result: "c" },
  ];
  expect(new Set([rich, ...others].map((body) => hashOf(planFrom(body)))).size).toBe(5);
});

test.each([
  ["storage-brief", "c51721d0d7958d77c35c8f7c5cb3ce3f2b97bdd1dce18a2e4338360336a916bd"],
  ["incident-triage", "d352e97ec31a56ae6282cde417e42020218c08d982f6366bc9760b31fa371369"],
])("the hash of %s stays what it was: versions were published under it", (name, sha256) => {
  expect(hashOf(planFrom(example(name)))).toBe(sha256);
});
