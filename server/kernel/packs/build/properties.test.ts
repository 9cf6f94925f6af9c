// Whatever is given: a pack that validates, fits its budget, holds no planted secret and can be built again, or a named error.
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { BuildInput } from "@/server/contract/context-pack/build-input";
import { ContextPack } from "@/server/contract/context-pack/pack";
import { Sidecar } from "@/server/contract/context-pack/sidecar";
import { buildInput, docFile, envelope, redactor, sha, stored, type Tree } from "@/server/testing/packs";
import { buildPack } from "./build-pack";
import { estimatePack } from "./estimate";
import { verifyPack } from "./verify-pack";

/** As it is written, and the part that must not be seen again, not even its beginning. */
const secrets = [
  { written: "ghp_Zq9x7Kw2mP4rT6vY8bN1cD3fG5hJ0kL2sQ7w", core: "Zq9x7Kw2" },
  { written: "AKIAZQ9X7KW2MP4RT6VY", core: "ZQ9X7KW2" },
  { written: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJacTl4N0t3MiJ9.dozjgNryP4J3jVmN", core: "eyJzdWIiOiJacTl" },
  { written: "postgres://app:Zq9x7Kw2mP4r@db:5432/x", core: "Zq9x7Kw2" },
  { written: "Authorization: Bearer Zq9x7Kw2mP4rT6vY8bN1", core: "Zq9x7Kw2" },
  { written: "DB_PASSWORD=Zq9x7Kw2mP4r", core: "Zq9x7Kw2" },
  {
    written: `-----BEGIN PRIVATE KEY-----\n${"Zq9x7Kw2mP4rT6vY8bN1cD3fG5hJ0kL2\n".repeat(4)}-----END PRIVATE KEY-----`,
    core: "Zq9x7Kw2",
  },
];
type Secret = (typeof secrets)[number];

const word = fc.constantFrom(
  "retry",
  "backoff",
  "the",
  "client",
  "socket",
  "é",
  "🙂",
  "{",
  "}",
  "//",
  "\n",
  "# Plan\n",
  "password",
  ":",
);
const prose = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(" "));
const names = fc.constantFrom(
  "src/a.ts",
  "src/b.ts",
  "src/c/d.ts",
  docFile("PLAN"),
  docFile("ACCEPTANCE"),
  docFile("x"),
  ".env",
  "lib/é.py",
);
const open = fc.dictionary(
  prose(2),
  fc.oneof(prose(6), fc.boolean(), fc.integer(), fc.array(prose(3), { maxLength: 3 })),
  { maxKeys: 4 },
);
const moment = fc.integer({ min: 0, max: 5 }).map((second) => `2026-01-13T10:00:0${second}Z`);

const inputs = fc.record({
  globalMode: fc.constantFrom("planning", "implementation", "Planning"),
  objective: prose(40),
  definitionOfDone: fc.array(prose(200), { maxLength: 3 }),
  run: fc.boolean(),
  estimator: fc.constantFrom("bytes4" as const, "o200k" as const),
  tree: fc.dictionary(names, prose(900), { maxKeys: 6 }),
  hits: fc.array(names, { maxLength: 6 }),
  named: fc.array(names, { maxLength: 2 }),
  events: fc.array(
    fc.record({
      kind: fc.constantFrom("test_result" as const, "diff" as const, "log" as const),
      summary: prose(1_500),
      isFailure: fc.boolean(),
      files: fc.array(names, { maxLength: 3 }),
    }),
    { maxLength: 6 },
  ),
  watermark: fc.constantFrom(null, 0, 3),
  envelopes: fc.array(fc.record({ createdAt: moment, n: fc.nat({ max: 9 }) }), { maxLength: 40 }),
  decisions: fc.array(
    fc.record({ summary: prose(20), rationale: prose(300), links: fc.array(prose(3), { maxLength: 2 }) }),
    { maxLength: 8 },
  ),
  repoFacts: open,
  constraints: open,
  toolPolicy: open,
});

type Given = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

function toInput(given: Given): { input: BuildInput; tree: Tree } {
  const { objective, definitionOfDone, run, tree, hits, events, envelopes, decisions, named, ...rest } = given;
  const input = buildInput({
    ...rest,
    run: run ? { id: "run-1" } : undefined,
    node: { id: "coder", objective, definitionOfDone, turn: 1 },
    hits: hits.map((path, i) => ({ path, score: i })),
    files: named,
    events: events.map((event, i) => ({ ...event, seq: i + 1, ref: `artifact://logs/${i}.txt`, type: "log" })),
    envelopes: envelopes.map(({ createdAt, n }) => envelope(n, { createdAt })),
    decisions: decisions.map((decision, i) => ({ id: `D${i}`, ...decision })),
  });
  return { input, tree };
}

/** Writes the secret into one text of the value: a string at any depth, or the name of a member of an open object. */
function plant(value: unknown, secret: Secret, place: { at: number; offset: number; asName: boolean }): unknown {
  const spots: ((text: string) => void)[] = [];
  const copy: unknown = JSON.parse(JSON.stringify(value));
  const walk = (node: unknown, isOpen: boolean): void => {
    if (node === null || typeof node !== "object") return;
    for (const [key, member] of Object.entries(node)) {
      const owner = node as Record<string, unknown>;
      if (typeof member === "string")
        spots.push((text) => {
          if (place.asName && isOpen) owner[text] = member;
          else owner[key] = inserted(member, text, place.offset);
        });
      walk(member, isOpen || ["repoFacts", "constraints", "toolPolicy"].includes(key));
    }
  };
  walk(copy, false);
  spots[place.at % Math.max(1, spots.length)]?.(secret.written);
  return copy;
}

const inserted = (text: string, piece: string, offset: number): string => {
  const at = offset % (text.length + 1);
  return `${text.slice(0, at)} ${piece} ${text.slice(at)}`;
};

const places = fc.record({ at: fc.nat({ max: 500 }), offset: fc.nat({ max: 3_000 }), asName: fc.boolean() });

test("a valid pack within its budget and without the secret, or a named error", { timeout: 300_000 }, () => {
  const seen: Record<string, number> = {};
  fc.assert(
    fc.property(inputs, fc.constantFrom(...secrets), places, fc.boolean(), (given, secret, place, inTree) => {
      const { input, tree } = toInput(given);
      const store = stored(inTree ? (plant(tree, secret, place) as Tree) : tree);
      const whole = { ...input, snapshot: store.snapshot };
      const planted = inTree ? whole : plant(whole, secret, place);
      const outcome = buildPack({ input: planted, read: store.read, redact: redactor });
      seen[outcome.ok ? "built" : outcome.code] = (seen[outcome.ok ? "built" : outcome.code] ?? 0) + 1;
      if (!outcome.ok) {
        expect(outcome.message).not.toContain(secret.core);
        expect(JSON.stringify(outcome.detail)).not.toContain(secret.core);
        expect(outcome.message).toMatch(/\. [A-Z]|expected/);
        return;
      }
      const { pack, bytes, sidecar, sha256, limit } = outcome;
      expect(JSON.stringify(sidecar)).not.toContain(secret.core);
      expect(Buffer.from(bytes).toString()).not.toContain(secret.core);
      expect(ContextPack.safeParse(pack).error).toBeUndefined();
      expect(Sidecar.safeParse(sidecar).error).toBeUndefined();
      expect(canonicalJson(pack)).toBe(Buffer.from(bytes).toString());
      expect(sha(bytes)).toBe(sha256);
      expect(estimatePack(pack, given.estimator)).toBe(sidecar.estimate);
      expect(sidecar.estimate).toBeLessThanOrEqual(limit);
      for (const { pointer } of [...sidecar.sources, ...sidecar.redactions])
        expect(at(pack, pointer)).not.toBeUndefined();
      expect(verifyPack({ bytes, sidecar, input: planted, read: store.read, redact: redactor })).toEqual({
        verdict: "same",
      });
    }),
    { numRuns: 400 },
  );
  // Errors are the exception, and a budget that trims is common.
  expect(seen.built).toBeGreaterThan(200);
});

function at(value: unknown, pointer: string): unknown {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.reduce<unknown>((found, part) => (found as Record<string, unknown> | undefined)?.[part], value);
}

test("shuffled lists, files in another order: identical bytes", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(inputs, fc.array(fc.nat(), { minLength: 50, maxLength: 50 }), (given, keys) => {
      const { input, tree } = toInput(given);
      const shuffle = <T>(list: T[]): T[] =>
        list
          .map((item, i) => ({ item, key: keys[i % 50] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const store = stored(tree);
      const other = stored(Object.fromEntries(shuffle(Object.entries(tree))));
      const entries = Object.entries({ ...input, snapshot: other.snapshot } as Record<string, unknown>);
      const shuffled = Object.fromEntries(
        shuffle(entries).map(([key, value]) => [key, Array.isArray(value) ? shuffle(value) : value]),
      );
      const one = buildPack({ input: { ...input, snapshot: store.snapshot }, read: store.read, redact: redactor });
      expect(buildPack({ input: shuffled, read: other.read, redact: redactor })).toEqual(one);
    }),
    { numRuns: 200 },
  );
});

test("any JSON at all: a pack or a named error, never an exception", { timeout: 120_000 }, () => {
  const part = fc.tuple(fc.constantFrom(...Object.keys(buildInput())), fc.jsonValue() as fc.Arbitrary<unknown>);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
      const outcome = buildPack({
        input: { ...buildInput(), ...Object.fromEntries(parts) },
        read: () => null,
        redact: redactor,
      });
      if (!outcome.ok) expect(outcome.message).toMatch(/^[\w./-]+: /);
    }),
    { numRuns: 500 },
  );
});
