// Packs that meet at a gate become one, by the rule of each field; what disagrees is in the sidecar.
import { describe, expect, test } from "vitest";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import { redactor, sha, uuid } from "@/server/testing/packs";
import { type MergeGiven, mergePacks } from "./merge-packs";
import { verifyMerge } from "./verify-pack";

const pack = (n: number, over: Partial<ContextPack> = {}): ContextPack => ({
  packId: uuid(n),
  runId: "run-1",
  nodeId: `n${n}`,
  createdAt: `2026-01-13T10:00:0${n}.000Z`,
  goal: `Goal ${n}`,
  definitionOfDone: ["All tests pass", `Part ${n}`],
  globalMode: "implementation",
  docsRoot: "/docs",
  docRefs: [],
  ...over,
});
const given = (packs: ContextPack[], over: Partial<MergeGiven> = {}): MergeGiven => ({
  inputs: packs.map((one, i) => ({ edgeId: `e${i + 1}`, pack: one })),
  receiving: { nodeId: "join", declared: ["e1", "e2", "e3"] },
  profile: "routine",
  estimator: "bytes4",
  redact: redactor,
  now: "2026-01-13T11:00:00.000Z",
  ...over,
});
function merged(packs: ContextPack[], over: Partial<MergeGiven> = {}) {
  const outcome = mergePacks(given(packs, over));
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}
const two = (a: Partial<ContextPack>, b: Partial<ContextPack>) => merged([pack(1, a), pack(2, b)]);
const refusal = (packs: ContextPack[], over: Partial<MergeGiven> = {}) => {
  const outcome = mergePacks(given(packs, over));
  return outcome.ok ? "merged" : `${outcome.code} ${outcome.message}`;
};
const codes = ({ sidecar }: { sidecar: { conflicts: { code: string; key: string }[] } }) =>
  sidecar.conflicts.map(({ code, key }) => `${code} ${key}`);

test("59: one decision id with two summaries is two decisions; with one, it is one", () => {
  const y = { decisions: [{ id: "D1", summary: "use Y" }] };
  const outcome = two({ decisions: [{ id: "D1", summary: "use X" }] }, y);
  expect(outcome.pack.decisions).toEqual([
    { id: "D1", summary: "use X" },
    { id: "D1@n2", summary: "use Y" },
  ]);
  expect(codes(outcome)).toEqual(["decision_conflict D1"]);
  const same = two(
    { decisions: [{ id: "D1", summary: "use X", links: ["a"] }] },
    { decisions: [{ id: "D1", summary: "use X", rationale: "r" }] },
  );
  expect(same.pack.decisions).toEqual([{ id: "D1", summary: "use X", rationale: "r", links: ["a"] }]);
  expect(codes(same)).toEqual([]);
  const three = merged([pack(1, { decisions: [{ id: "D1", summary: "use X" }] }), pack(2, y), pack(3, y)]);
  expect(three.pack.decisions).toHaveLength(2);
});

test("61: two packs of 5,000 tokens fit into 6,000, with a receipt; the order of arrival changes nothing", () => {
  const large = (name: string) => ({
    definitionOfDone: ["All tests pass"],
    relevantFiles: Array.from({ length: 15 }, (_, i) => ({ path: `src/${name}${i}.ts`, excerpt: name.repeat(1_250) })),
  });
  const packs = [pack(1, large("a")), pack(2, large("b"))];
  const outcome = merged(packs);
  expect(outcome.found).toBeGreaterThan(9_000);
  expect(outcome.sidecar.estimate).toBeLessThanOrEqual(6_000);
  expect(outcome.sidecar.trimmed.length).toBeGreaterThan(0);
  const swapped = mergePacks({ ...given(packs), inputs: given(packs).inputs.toReversed() });
  expect(swapped).toEqual(outcome);
});

test("a merged pack is verified by merging again", () => {
  const packs = [pack(1), pack(2)];
  const { bytes, sidecar } = merged(packs);
  const verify = (one: ContextPack[]) => verifyMerge({ bytes, sidecar, merge: given(one), redact: redactor });
  expect(verify(packs)).toEqual({ verdict: "same" });
  expect(verify([pack(1), pack(2, { goal: "Other" })])).toEqual({ verdict: "digest_mismatch", pointer: "/goal" });
});

test("ids, mode and goal", () => {
  const outcome = two({ globalMode: "planning", nodeMode: "auto" }, { nodeMode: "interactive" });
  expect(outcome.pack).toMatchObject({
    runId: "run-1",
    nodeId: "join",
    createdAt: "2026-01-13T11:00:00.000Z",
    goal: "[n1] Goal 1\n[n2] Goal 2",
    definitionOfDone: ["All tests pass", "Part 1", "Part 2"],
    globalMode: "planning",
    nodeMode: "interactive",
    toolPolicy: { writeRoots: ["/docs"] },
  });
  expect(outcome.sidecar.sources.map(({ kind, ref }) => `${kind} ${ref}`)).toEqual([
    `pack ${uuid(1)}`,
    `pack ${uuid(2)}`,
  ]);
  const own = merged([pack(1), pack(2)], {
    receiving: { nodeId: "join", declared: [], goal: "Own", outputSchemaRef: "schema://A/v1" },
  });
  expect(own.pack).toMatchObject({ goal: "Own", outputSchemaRef: "schema://A/v1" });
  expect(refusal([pack(1, { goal: "g".repeat(400) }), pack(2, { goal: "h".repeat(400) })])).toContain(
    "invalid_input goal: has",
  );
});

test("documents", () => {
  const a = { docRefs: [{ path: "/docs/PLAN.md", anchors: ["x"], priority: "low" as const, excerpt: "" }] };
  const b = {
    docRefs: [
      { path: "/docs/PLAN.md", anchors: ["y", "x"], priority: "high" as const, excerpt: "e" },
      { path: "/docs/z.md" },
    ],
  };
  expect(two(a, b).pack.docRefs).toEqual([
    { path: "/docs/PLAN.md", anchors: ["x", "y"], priority: "high", excerpt: "e" },
    { path: "/docs/z.md" },
  ]);
});

test("files: equal hashes merge, of different ones the newest is kept", () => {
  const file = (text: string, over: object = {}) => ({
    relevantFiles: [{ path: "a.ts", hash: `sha256:${sha(text)}`, ...over }],
  });
  expect(two(file("a", { purpose: "p" }), file("a", { purpose: "q", excerpt: "e" })).pack.relevantFiles).toEqual([
    { path: "a.ts", purpose: "p", excerpt: "e", hash: `sha256:${sha("a")}` },
  ]);
  const outcome = two(file("a"), file("b"));
  expect(outcome.pack.relevantFiles?.[0]?.hash).toBe(`sha256:${sha("b")}`);
  expect(outcome.sidecar.conflicts).toEqual([
    { code: "file_hash_conflict", field: "relevantFiles", key: "a.ts", kept: uuid(2), other: uuid(1) },
  ]);
});

test("inputs and artifacts", () => {
  const artifact = (text?: string) => ({
    inputs: [{ payloadId: uuid(7) }],
    artifacts: [{ ref: "artifact://logs/a.txt", type: "log" as const, ...(text && { sha256: sha(text) }) }],
  });
  expect(two(artifact(), artifact("a")).pack).toMatchObject({
    inputs: [{ payloadId: uuid(7) }],
    artifacts: [{ sha256: sha("a") }],
  });
  expect(refusal([pack(1, artifact("a")), pack(2, artifact("b"))])).toMatch(
    /^artifact_conflict artifacts: artifact:\/\/logs/,
  );
});

describe("open objects", () => {
  test("constraints", () => {
    const outcome = two(
      { constraints: { strict: false, max: 5, style: "a", only: 1, same: [1] } },
      { constraints: { strict: true, max: 3, style: "b", same: [1] } },
    );
    expect(outcome.pack.constraints).toEqual({ strict: true, max: 3, style: "a", only: 1, same: [1] });
    expect(codes(outcome)).toEqual(["constraint_conflict style"]);
  });
  test("tool policy", () => {
    const outcome = two(
      { toolPolicy: { allowedTools: ["read", "edit"], blockedTools: ["a"], approvalMode: "on_request" } },
      { toolPolicy: { allowedTools: ["edit", "bash"], blockedTools: ["b"], approvalMode: "high_risk_only" } },
    );
    expect(outcome.pack.toolPolicy).toEqual({
      allowedTools: ["edit"],
      blockedTools: ["a", "b"],
      approvalMode: "high_risk_only",
    });
    expect(two({ toolPolicy: { allowedTools: ["read"] } }, {}).pack.toolPolicy).toEqual({ allowedTools: ["read"] });
    expect(refusal([pack(1, { toolPolicy: { allowedTools: "all" } })])).toContain(
      "inputs.0.pack.toolPolicy.allowedTools: expected",
    );
    expect(refusal([pack(1, { toolPolicy: { approvalMode: "maybe" } })])).toContain("approvalMode: expected always");
  });
  test("facts and workspace", () => {
    const outcome = two(
      { repoFacts: { language: "ts", a: 1 }, workspace: { mode: "copy" } },
      { repoFacts: { language: "go", b: 2 }, workspace: { mode: "shared" } },
    );
    expect(outcome.pack.repoFacts).toEqual({ language: "ts", a: 1, b: 2 });
    expect(outcome.pack.workspace).toBeUndefined();
    expect(codes(outcome)).toEqual(["repo_fact_conflict language", "workspace_conflict workspace"]);
    expect(two({ workspace: { mode: "copy" } }, { workspace: { mode: "copy" } }).pack.workspace).toEqual({
      mode: "copy",
    });
  });
  test("a schema only if all agree", () => {
    const schema = { outputSchemaRef: "schema://A/v1" };
    expect(two(schema, schema).pack.outputSchemaRef).toBe("schema://A/v1");
    expect(codes(two(schema, {}))).toEqual(["output_schema_conflict outputSchemaRef"]);
  });
});

test("evidence stays evidence when its sidecar says so", () => {
  const artifacts = [
    { ref: "artifact://logs/f.txt", type: "log" as const, summary: "s".repeat(20_000) },
    { ref: "artifact://logs/b.txt", type: "log" as const, summary: "s".repeat(20_000) },
  ];
  const first = merged([pack(1)]);
  const sources = [{ pointer: "/artifacts/0", kind: "evidence" as const, ref: "artifact://logs/f.txt" }];
  const inputs = [{ edgeId: "e1", pack: pack(1, { artifacts }), sidecar: { ...first.sidecar, sources } }];
  const outcome = mergePacks({ ...given([]), inputs });
  expect(outcome.ok && outcome.pack.artifacts?.map(({ ref }) => ref)).toContain("artifact://logs/f.txt");
  expect(outcome.ok && outcome.pack.artifacts?.[0]?.summary).toHaveLength(20_000);
  expect(outcome.ok && outcome.sidecar.sources).toContainEqual({ ...sources[0] });
});

test("secrets of an input do not pass", () => {
  const outcome = two({ constraints: { password: "hunter2" } }, { constraints: { password: "other" } });
  expect(JSON.stringify([outcome.pack, outcome.sidecar])).not.toMatch(/hunter2|"other"\s*[},]/);
  expect(outcome.pack.constraints).toEqual({ password: "[REDACTED:env_secret]" });
});

test.each<[string, ContextPack[], Partial<MergeGiven>, string]>([
  ["another run", [pack(1), pack(2, { runId: "run-2" })], {}, "merge_mismatch inputs: runId differs"],
  ["another root", [pack(1), pack(2, { docsRoot: "/d" })], {}, "merge_mismatch inputs: docsRoot differs"],
  ["nothing", [], {}, "invalid_input inputs: is empty"],
  ["not a pack", [{ ...pack(1), packId: "p" }], {}, "invalid_input inputs.0.pack.packId: expected an id"],
  ["expanded", [pack(1)], { profile: "expanded" }, "invalid_input reason: is missing"],
  ["no moment", [pack(1)], { now: "today" }, "invalid_input now: expected"],
])("%s is refused", (_what, packs, over, wanted) => {
  expect(refusal(packs, over)).toContain(wanted);
});
