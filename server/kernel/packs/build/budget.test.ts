// The budget: what a pack costs, what is trimmed first, and what never is.
import { describe, expect, test } from "vitest";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { BuildInput } from "@/server/contract/context-pack/build-input";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import { cpuMs } from "@/server/testing/cpu";
import { buildInput, docFile, envelope, redactor, stored, type Tree } from "@/server/testing/packs";
import { buildPack } from "./build-pack";
import { estimatePack } from "./estimate";
import { digestOf } from "./ids";

const minimal: ContextPack = {
  packId: "11111111-1111-1111-1111-111111111111",
  goal: "g",
  definitionOfDone: ["a"],
  globalMode: "planning",
  docsRoot: "/docs",
  docRefs: [],
};

test("33 and 47: 141 bytes, 36 tokens, and one digest for ever", () => {
  const json = canonicalJson(minimal);
  expect(Buffer.byteLength(json)).toBe(141);
  expect(estimatePack(minimal, "bytes4")).toBe(36);
  expect(digestOf(json)).toBe("5437cdb138fb049575faf46ddee25148ca1e82fdd3cd9d62aa431ddc42fc1f03");
});

const node = buildInput().node;
const build = (over: Partial<BuildInput>, tree?: Tree) => {
  const store = tree && stored(tree);
  const input = buildInput({ ...(store && { snapshot: store.snapshot }), ...over });
  return buildPack({ input, read: store?.read ?? (() => null), redact: redactor });
};

describe("a budget that cannot be met", () => {
  test("35: says what is needed, and gives no pack", () => {
    const core = { node: { ...node, definitionOfDone: ["x"] } };
    const bare = build(core);
    if (!bare.ok) throw new Error(bare.message);
    const padding = "x".repeat(7_000 * 4 - bare.bytes.length + 1);
    const outcome = build({ node: { ...node, definitionOfDone: [padding] } });
    expect(outcome).toMatchObject({
      ok: false,
      code: "budget_unsatisfiable",
      detail: { required: 7_000, limit: 6_000 },
      message: expect.stringContaining("needs 7000 tokens, and routine allows 6000"),
    });
    expect(outcome).not.toHaveProperty("pack");
  });
  test("the remedy is about what is too large", () => {
    const text = Buffer.from("text");
    const sha256 = digestOf(text);
    const says = (over: Partial<BuildInput>) => {
      const outcome = buildPack({ input: buildInput(over), read: () => text, redact: redactor });
      return outcome.ok ? "" : outcome.message;
    };
    const done = { node: { ...node, definitionOfDone: ["x".repeat(40_000)] } };
    expect(says(done)).toContain("Shorten the definition of done");
    const docs = Array.from({ length: 1_000 }, (_, i) => ({
      path: `card://card-${i}-${"x".repeat(200)}`.slice(0, 128),
      sha256,
    }));
    expect(says({ docs })).toContain("Name fewer cards and documents");
    expect(says({ docs, profile: "expanded", reason: "large_refactor" })).toMatch(/split the task$/);
  });
  test("expanded allows more", () => {
    const wide = { node: { ...node, definitionOfDone: ["x".repeat(40_000)] } };
    expect(build(wide)).toMatchObject({ code: "budget_unsatisfiable" });
    expect(build({ ...wide, profile: "expanded", reason: "large_refactor" })).toMatchObject({
      ok: true,
      limit: 20_000,
    });
  });
});

const events = Array.from({ length: 6 }, (_, i): BuildInput["events"][number] => ({
  seq: i + 1,
  kind: i === 0 ? "test_result" : "log",
  ref: `artifact://logs/${i}.txt`,
  type: "log",
  summary: (i === 0 ? "2 failing tests: " : "").padEnd(i === 0 ? 5_000 : 9_000, "x"),
  isFailure: i === 0,
  files: [],
}));

test("37: evidence of a failure survives every step", () => {
  const outcome = build({ watermark: 0, events });
  if (!outcome.ok) throw new Error(outcome.message);
  expect(outcome.pack.artifacts?.[0]).toMatchObject({ ref: "artifact://logs/0.txt", summary: events[0]?.summary });
  expect(outcome.sidecar.estimate).toBeLessThanOrEqual(6_000);
  expect(outcome.found).toBeGreaterThan(6_000);
  // Only as many steps as are needed, the oldest log first.
  expect(outcome.sidecar.trimmed.map(({ step, action, key }) => `${step} ${action} ${key}`)).toEqual([
    "3 details_removed artifact://logs/1.txt",
    "3 details_removed artifact://logs/2.txt",
    "3 details_removed artifact://logs/3.txt",
  ]);
});

test("what fits is neither trimmed nor filled up", () => {
  const outcome = build({});
  expect(outcome).toMatchObject({ ok: true, sidecar: { trimmed: [] } });
  expect(outcome.ok && outcome.found === outcome.sidecar.estimate).toBe(true);
});

const text = (name: string): string => `${name} retry\n${"y".repeat(1_100)}`;
const tree: Tree = Object.fromEntries([
  ...Array.from({ length: 3 }, (_, i) => [`src/${i}.ts`, text("file")]),
  ...["PLAN", "DECISIONS", "z"].map((name) => [`docs/${name}.md`, `# Retry of ${name}\n${"z".repeat(1_100)}`]),
]);
const full = (padding: number): Partial<BuildInput> => ({
  node: { ...node, definitionOfDone: ["p".repeat(padding)] },
  watermark: 0,
  events: events.slice(0, 2).map((event) => ({ ...event, summary: event.isFailure ? "evidence" : "s".repeat(300) })),
  hits: [...Object.keys(tree)].map((path) => ({ path, score: 1 })),
  envelopes: [envelope(1), envelope(2)],
  decisions: [{ id: "D1", summary: "use X", rationale: "r".repeat(200), links: ["l"] }],
  repoFacts: { language: "typescript", packageManager: "npm", testCommand: "npm test", extra: "e".repeat(300) },
});

test("the whole order, step by step, until only what must stay is left", { timeout: 60_000 }, () => {
  let known: string[] = [];
  let stopped = false;
  for (let padding = 10_000; !stopped; padding += 200) {
    const outcome = build(full(padding), tree);
    if (!outcome.ok) {
      expect(outcome.code).toBe("budget_unsatisfiable");
      stopped = true;
      continue;
    }
    expect(outcome.sidecar.estimate).toBeLessThanOrEqual(6_000);
    expect(estimatePack(outcome.pack, "bytes4")).toBe(outcome.sidecar.estimate);
    const steps = outcome.sidecar.trimmed.map(({ step, action, key }) => `${step} ${action} ${key}`);
    // A tighter budget goes further along the same order.
    expect(steps.slice(0, known.length)).toEqual(known);
    known = steps;
  }
  expect(known).toEqual([
    ...["src/2.ts", "src/1.ts", "src/0.ts"].map((path) => `1 shortened ${path}`),
    ...["src/2.ts", "src/1.ts", "src/0.ts"].map((path) => `1 excerpt_removed ${path}`),
    ...["src/2.ts", "src/1.ts", "src/0.ts"].map((path) => `2 removed ${path}`),
    "3 details_removed artifact://logs/1.txt",
    "3 removed artifact://logs/1.txt",
    "4 excerpt_removed /docs/z.md",
    "4 excerpt_removed /docs/DECISIONS.md",
    "4 excerpt_removed /docs/PLAN.md",
    "5 removed /docs/z.md",
    "6 details_removed D1",
    ...[1, 2].map((n) => `7 removed 00000000-0000-4000-8000-00000000000${n}`),
    "8 removed docsClass",
    "8 removed extra",
  ]);
});

test("a shortened excerpt has at most 400 bytes", () => {
  const outcome = build(full(17_000), tree);
  if (!outcome.ok) throw new Error(outcome.message);
  const shortened = outcome.sidecar.trimmed.filter(({ action }) => action === "shortened");
  expect(shortened.length).toBeGreaterThan(0);
  for (const { bytesBefore, bytesAfter } of shortened) expect(bytesAfter).toBeLessThan(bytesBefore);
  const last = outcome.pack.relevantFiles?.at(-1)?.excerpt ?? "";
  expect(Buffer.byteLength(last)).toBeLessThanOrEqual(400);
});

test("the o200k estimator counts as models do", () => {
  const outcome = build({ estimator: "o200k" });
  expect(outcome.ok && outcome.sidecar.estimator).toBe("o200k");
  expect(outcome.ok && outcome.sidecar.estimate).toBe(outcome.ok && estimatePack(outcome.pack, "o200k"));
});

describe("a megabyte of anything takes linear time", { timeout: 60_000 }, () => {
  const mega = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length));
  test.each<[string, Partial<BuildInput>]>([
    ["summaries", { watermark: 0, events: events.slice(1).map((event) => ({ ...event, summary: mega("word ") })) }],
    ["a definition of done", { node: { ...node, definitionOfDone: [mega("a")] } }],
    ["constraints", { constraints: { a: mega("# ") } }],
    ["inputs", { envelopes: Array.from({ length: 4_000 }, (_, i) => envelope(i + 1)) }],
    ["files named", { hits: Array.from({ length: 20_000 }, (_, i) => ({ path: `src/${i}/a.ts`, score: 1 })) }],
    ["facts", { repoFacts: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, "value"])) }],
  ])("%s", (_what, over) => {
    for (const estimator of ["bytes4", "o200k"] as const)
      expect(cpuMs(() => build({ ...over, estimator }))).toBeLessThan(8_000);
  });
  test.each(["#", "# \n", "```\n", "- [ ] ", "- [ ] a\n", "a", "\n", "[REDACTED:", "## a ## \n", "é"])(
    "a document of %j",
    (piece) => {
      const given = piece.repeat(Math.floor(262_000 / Buffer.byteLength(piece)));
      const work = () =>
        build(
          { node: { ...node, definitionOfDone: [] }, hits: [{ path: "src/a.ts", score: 1 }] },
          { [docFile("ACCEPTANCE")]: given, "src/a.ts": given },
        );
      expect(cpuMs(work)).toBeLessThan(4_000);
    },
  );
});
