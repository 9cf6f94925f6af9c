// The builder's rules, one by one. Numbers are those of the shared cases.
import { describe, expect, test } from "vitest";
import type { BuildEvent, BuildInput } from "@/server/contract/context-pack/build-input";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { buildInput, docFile, envelope, redactor, sha, stored, type Tree, uuid } from "@/server/testing/packs";
import { buildPack } from "./build-pack";

const build = (over: Partial<BuildInput> | Record<string, unknown> = {}, tree?: Tree) => {
  const store = tree && stored(tree);
  const input = { ...buildInput(), ...(store && { snapshot: store.snapshot }), ...over };
  return buildPack({ input, read: store?.read ?? (() => null), redact: redactor });
};

function built(...given: Parameters<typeof build>): { pack: ContextPack; sidecar: Sidecar } {
  const outcome = build(...given);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

const refusal = (...given: Parameters<typeof build>) => {
  const outcome = build(...given);
  return outcome.ok ? "built" : `${outcome.code} ${outcome.message}`;
};

const event = (seq: number, over: Partial<BuildEvent> = {}): BuildEvent => ({
  seq,
  kind: "log",
  ref: `artifact://logs/${seq}.txt`,
  type: "log",
  isFailure: false,
  files: [],
  ...over,
});
const node = buildInput().node;
const paths = ({ pack }: { pack: ContextPack }) => (pack.relevantFiles ?? []).map(({ path }) => path);

describe("normalise", () => {
  test("3: modes in any case", () => {
    const { pack } = built({ globalMode: "IMPLEMENTATION", node: { ...node, mode: "Interactive" } });
    expect(pack).toMatchObject({ globalMode: "implementation", nodeMode: "interactive" });
    expect(refusal({ globalMode: "auto" })).toBe("invalid_input globalMode: expected planning or implementation");
  });
  test("31: paths of Windows", () => {
    expect(paths(built({ hits: [{ path: "src\\ws\\client.ts", score: 1 }] }))).toEqual(["src/ws/client.ts"]);
  });
  test.each(["../x", "a/../../x", "C:\\x", "a\u0001", "..\\x", "/", "https://u:p4ss@host/x"])(
    "a path outside: %j",
    (path) => {
      expect(refusal({ hits: [{ path, score: 1 }] })).toMatch(/^invalid_input hits\.0\.path: /);
    },
  );
  test("a goal of 600 characters is accepted, of 601 refused; characters are not UTF-16 units", () => {
    expect(built({ node: { ...node, objective: "🙂".repeat(600) } }).pack.goal).toHaveLength(1200);
    expect(refusal({ node: { ...node, objective: "a".repeat(601) } })).toMatch(
      /^invalid_input goal: has 601 characters/,
    );
  });
  test("more than three sentences are a warning", () => {
    expect(built({ node: { ...node, objective: "One. Two. Three. Four." } }).sidecar.warnings).toEqual([
      "long_goal:4 sentences",
    ]);
  });
  test("expanded needs a reason", () => {
    expect(refusal({ profile: "expanded" })).toMatch(/^invalid_input reason: is missing/);
    expect(refusal({ profile: "expanded", reason: "curiosity" })).toMatch(/^invalid_input reason: expected/);
    expect(built({ profile: "expanded", reason: "large_refactor" }).sidecar.profile).toBe("expanded");
  });
  test.each([
    ["ftp://host/x", "invalid_input"],
    ["javascript:alert(1)", "invalid_input"],
    ["../schema.json", "invalid_input"],
    ["artifact://schemas/../x", "invalid_input"],
    ["schema://PatchAndReport/v1", "built"],
    ["artifact://schemas/patch.json", "built"],
    ["https://example.com/x.json", "built"],
  ])("a schema reference %s", (outputSchemaRef, wanted) => {
    expect(refusal({ node: { ...node, outputSchemaRef } })).toContain(wanted);
  });
  test("a relative schema that no snapshot has is a warning", () => {
    const given = { node: { ...node, outputSchemaRef: "schemas/a.json" } };
    expect(built(given, {}).sidecar.warnings).toContain("unresolved_schema:schemas/a.json");
    expect(built(given, { "schemas/a.json": "{}" }).sidecar.warnings).not.toContain("unresolved_schema:schemas/a.json");
  });
  test.each(["artifact://logs/../x", "artifact://logs/%2e%2e/x", "card://a/b", "file:///etc/passwd", "../x"])(
    "a reference that leads out: %s",
    (ref) => {
      expect(refusal({ watermark: 0, events: [event(1, { ref })] })).toMatch(/^invalid_input events\.0\.ref: /);
    },
  );
  test("what JSON can hold and a pack cannot", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
    expect(refusal({ constraints: deep })).toContain("is nested deeper than 100 levels");
    expect(refusal({ constraints: JSON.parse('{"__proto__": {"a": 1}}') })).toContain(
      "/constraints: has a member named",
    );
    expect(refusal({ constraints: { a: "\u0000" } })).toContain("/constraints/a: contains a NUL");
    expect(refusal({ constraints: { a: Number.NaN } })).toContain("/constraints/a: is not a finite number");
    expect(refusal({ hits: "all" })).toContain("hits: expected a list");
    expect(refusal({ extra: 1 })).toContain("extra: unknown field");
    expect(buildPack({ input: null, read: () => null, redact: redactor })).toMatchObject({ code: "invalid_input" });
  });
});

describe("documents", () => {
  const docs = Object.fromEntries(
    ["PLAN", "ACCEPTANCE", "ARCHITECTURE", "DECISIONS", "RUNBOOK", "OVERVIEW"].map((name) => [
      `docs/${name}.md`,
      `# ${name}`,
    ]),
  );
  test("their order and priority", () => {
    const { pack, sidecar } = built({}, { ...docs, [docFile("z")]: "# Z", "src/a.ts": "" });
    expect(pack.docRefs.map(({ path, priority }) => `${path} ${priority}`)).toEqual([
      "/docs/PLAN.md high",
      "/docs/ACCEPTANCE.md high",
      "/docs/ARCHITECTURE.md high",
      "/docs/DECISIONS.md medium",
      "/docs/RUNBOOK.md medium",
      "/docs/OVERVIEW.md medium",
      "/docs/z.md low",
    ]);
    expect(pack.repoFacts).toEqual({ docsClass: "healthy" });
    expect(sidecar.warnings).toEqual([]);
    expect(sidecar.sources).toContainEqual({
      pointer: "/docRefs/6",
      kind: "doc",
      ref: "/docs/z.md",
      sha256: sha("# Z"),
    });
  });
  test("21: a missing one is a warning, and the mode stays", () => {
    const { [docFile("ACCEPTANCE")]: _, ...others } = docs;
    const { pack, sidecar } = built({}, others);
    expect(sidecar.warnings).toEqual(["missing_doc:/docs/ACCEPTANCE.md"]);
    expect(pack.globalMode).toBe("implementation");
    expect(pack.repoFacts).toEqual({ docsClass: "docs-only" });
  });
  test("an empty definition of done takes the boxes of ACCEPTANCE", () => {
    const empty = { node: { ...node, definitionOfDone: [] } };
    const tree = { [docFile("ACCEPTANCE")]: "- [x] done\n- [ ] Backoff doubles\n  1. [ ] Capped at 30 s\n- [ ]\n" };
    expect(built(empty, tree).pack.definitionOfDone).toEqual(["Backoff doubles", "Capped at 30 s"]);
    expect(refusal(empty, { [docFile("ACCEPTANCE")]: "nothing" })).toMatch(/^invalid_input definitionOfDone: is empty/);
    const { pack, sidecar } = built({ ...empty, globalMode: "planning" });
    expect(pack.definitionOfDone).toEqual([]);
    expect(sidecar.warnings).toEqual(["empty_definition_of_done:node.definitionOfDone"]);
  });
  test("a section by its heading, up to the next of its level; an unknown one is a warning", () => {
    const text =
      "# Plan\n\n## Retry & backoff\nDoubles.\n### Cap\n30 s\n## Next\nno\n```\n## not a heading\n```\n## Retry & backoff\ntwice";
    const given = { docs: [{ path: "/docs/PLAN.md", anchors: ["retry--backoff", "gone"] }] };
    const { pack, sidecar } = built(given, { [docFile("PLAN")]: text });
    expect(pack.docRefs[0]).toEqual({
      path: "/docs/PLAN.md",
      anchors: ["retry--backoff"],
      excerpt: "## Retry & backoff\nDoubles.\n### Cap\n30 s",
      priority: "high",
    });
    expect(sidecar.warnings).toContain("unknown_anchor:/docs/PLAN.md#gone");
    const second = { docs: [{ path: docFile("PLAN"), anchors: ["#retry--backoff-1"] }] };
    expect(built(second, { [docFile("PLAN")]: text }).pack.docRefs[0]?.excerpt).toBe("## Retry & backoff\ntwice");
  });
  test("without anchors, the headings that the goal mentions; 1,200 bytes at most", () => {
    const text = `# Plan\n## Deployment\nno\n## The backoff\n${"é".repeat(2_000)}`;
    const { pack } = built({}, { [docFile("PLAN")]: text });
    expect(pack.docRefs[0]?.anchors).toEqual(["the-backoff"]);
    expect(Buffer.byteLength(pack.docRefs[0]?.excerpt ?? "")).toBeLessThanOrEqual(1_200);
    expect(pack.docRefs[0]?.excerpt).toMatch(/^## The backoff\né+$/);
  });
  test("a card as a document, by the digest of its text", () => {
    const text = "# Brief\n## Backoff rules\nDoubles.";
    const input = buildInput({ docs: [{ path: "card://c1", sha256: sha(text), anchors: ["backoff-rules"] }] });
    const outcome = buildPack({ input, read: () => Buffer.from(text), redact: redactor });
    expect(outcome).toMatchObject({ ok: true, used: [sha(text)] });
    expect(outcome.ok && outcome.pack.docRefs).toEqual([
      { path: "card://c1", anchors: ["backoff-rules"], excerpt: "## Backoff rules\nDoubles.", priority: "medium" },
    ]);
    expect(refusal({ docs: [{ path: "card://c1" }] })).toMatch(/^invalid_input docs\.0\.sha256: is missing/);
  });
  test("a document that changed since the last pack is stale", () => {
    const previousDocs = [
      { path: "/docs/PLAN.md", sha256: sha("old") },
      { path: "/docs/RUNBOOK.md", sha256: sha("same") },
    ];
    const { sidecar } = built({ previousDocs }, { [docFile("PLAN")]: "new", [docFile("RUNBOOK")]: "same" });
    expect(sidecar.warnings.filter((one) => one.startsWith("stale"))).toEqual(["stale_doc:/docs/PLAN.md"]);
  });
  test("twenty others at most; those that the search found first", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`docs/n${i + 10}.md`, `# N${i}`]));
    const { pack, sidecar } = built({ hits: [{ path: docFile("n39"), score: 1 }] }, many);
    expect(pack.docRefs).toHaveLength(20);
    expect(pack.docRefs[0]?.path).toBe("/docs/n39.md");
    expect(sidecar.warnings).toContain("docs_left_out:10");
  });
});

describe("deltas and inputs", () => {
  test("23: only what came after the watermark", () => {
    const { pack } = built({ watermark: 40, events: [event(38), event(41)] });
    expect(pack.artifacts).toEqual([{ ref: "artifact://logs/41.txt", type: "log" }]);
  });
  test("without a watermark, failures that nothing newer has replaced", () => {
    const test1 = { kind: "test_result" as const, ref: "artifact://logs/t.txt" };
    const events = [event(1), event(2, { isFailure: true }), event(3, { ...test1, isFailure: true }), event(4, test1)];
    expect(built({ events }).pack.artifacts?.map(({ ref }) => ref)).toEqual(["artifact://logs/2.txt"]);
  });
  test("25: envelopes by time and id, each once", () => {
    const at = (second: number) => ({ createdAt: `2026-01-13T10:00:0${second}.000Z` });
    const envelopes = [envelope(2, at(1)), envelope(1, at(0)), envelope(3, at(0)), envelope(1, at(0))];
    expect(built({ envelopes }).pack.inputs?.map(({ payloadId }) => payloadId)).toEqual([uuid(1), uuid(3), uuid(2)]);
  });
  test("times are compared as moments", () => {
    const envelopes = [
      envelope(1, { createdAt: "2026-01-13T10:00:00+00:00" }),
      envelope(2, { createdAt: "2026-01-13T10:30:00+01:00" }),
      envelope(3, { createdAt: "2026-01-13T10:00:00.000000001Z" }),
    ];
    expect(built({ envelopes }).pack.inputs?.map(({ payloadId }) => payloadId)).toEqual([uuid(2), uuid(1), uuid(3)]);
  });
  test("one payload id with two contents is a conflict", () => {
    const { pack, sidecar } = built({ envelopes: [envelope(1), envelope(1, { edgeId: "other" })] });
    expect(pack.inputs).toHaveLength(1);
    expect(sidecar.conflicts).toMatchObject([{ code: "payload_conflict", key: uuid(1) }]);
  });
  test("artifacts of envelopes are carried, without their media type", () => {
    const artifact = {
      ref: "artifact://logs/a.txt",
      type: "log" as const,
      mime: "text/plain",
      sha256: `sha256:${sha("a")}`,
    };
    expect(built({ envelopes: [envelope(1, { artifacts: [artifact] })] }).pack.artifacts).toEqual([
      { ref: "artifact://logs/a.txt", type: "log", sha256: sha("a") },
    ]);
  });
  test("one reference with two digests is an error", () => {
    const one = (n: number, text: string) =>
      envelope(n, { artifacts: [{ ref: "artifact://logs/a.txt", type: "log", sha256: sha(text) }] });
    expect(refusal({ envelopes: [one(1, "a"), one(2, "b")] })).toMatch(
      /^artifact_conflict artifacts: artifact:\/\/logs\/a/,
    );
  });
});

describe("files", () => {
  const tree: Tree = {
    "src/a.ts": { text: "a", imports: ["src/b.ts"] },
    "src/b.ts": { text: "b", imports: ["src/c.ts"] },
    "src/c.ts": "c",
    "src/d.ts": "d",
    "src/owned/e.ts": "e",
  };
  test("ranked by what speaks for them", () => {
    const given = {
      hits: [{ path: "src/a.ts", score: 0.1 }],
      events: [event(1, { isFailure: true, files: ["src/d.ts"] })],
      owned: ["src/owned/"],
    };
    const { pack, sidecar } = built(given, tree);
    expect(pack.relevantFiles?.map(({ path, purpose }) => `${path}: ${purpose}`)).toEqual([
      "src/d.ts: Named in failing evidence",
      "src/a.ts: Found by the search",
      "src/b.ts: Imported by a file that matters",
      "src/c.ts: Two imports away from a file that matters",
      "src/owned/e.ts: Owned by this node",
    ]);
    expect(pack.relevantFiles?.[0]).toMatchObject({ excerpt: "d", hash: `sha256:${sha("d")}` });
    expect(sidecar.sources).toContainEqual({
      pointer: "/relevantFiles/0",
      kind: "file",
      ref: "src/d.ts",
      sha256: sha("d"),
    });
  });
  test("upstream diffs, in events and envelopes", () => {
    const diff = envelope(1, { kind: "diff", structured: { files: ["src/c.ts"] } });
    const given = { watermark: 0, events: [event(1, { kind: "diff", files: ["src/b.ts"] })], envelopes: [diff] };
    expect(paths(built(given, tree))).toEqual(["src/c.ts", "src/b.ts"]);
  });
  test("20 at most, and equal scores in the order of bytes", () => {
    const many = Object.fromEntries(
      ["ä", "b", "a", "Z", "𝒳", "\uffee", ...Array.from({ length: 20 }, (_, i) => `f${i + 10}`)].map((p) => [p, ""]),
    );
    const { pack, sidecar } = built({ hits: Object.keys(many).map((path) => ({ path, score: 1 })) }, many);
    expect(pack.relevantFiles).toHaveLength(20);
    expect(paths({ pack }).slice(0, 3)).toEqual(["Z", "a", "b"]);
    expect(sidecar.warnings).toContain("files_left_out:6");
  });
  test("of files that only the search found, the better hit comes first", () => {
    const tree = { "a.ts": "", "b.ts": "", "c.ts": "" };
    const hits = [
      { path: "a.ts", score: 0.2 },
      { path: "b.ts", score: 0.9 },
      { path: "c.ts", score: 0.5 },
    ];
    expect(paths(built({ hits }, tree))).toEqual(["b.ts", "c.ts", "a.ts"]);
    expect(paths(built({ hits: hits.toReversed() }, tree))).toEqual(["b.ts", "c.ts", "a.ts"]);
  });
  test.each([".env", "config/.ENV.local", "key.pem", "id_rsa.bak", ".npmrc"])(
    "29: %s is listed, without its text",
    (path) => {
      const { pack } = built({ hits: [{ path, score: 1 }] }, { [path]: "hunter2 is not read" });
      expect(pack.relevantFiles).toEqual([{ path, purpose: "Found by the search" }]);
    },
  );
  test("binary, large and unknown files are listed without an excerpt", () => {
    const hits = ["big.txt", "bin", "gone.ts"].map((path) => ({ path, score: 1 }));
    const { pack, sidecar } = built({ hits }, { "big.txt": "x".repeat(300_000), bin: "a\u0000b" });
    expect(pack.relevantFiles?.map((file) => file.excerpt)).toEqual([undefined, undefined, undefined]);
    expect(sidecar.warnings).toEqual(
      expect.arrayContaining(["large_file:big.txt", "not_text:bin", "unknown_file:gone.ts"]),
    );
  });
  test("the excerpt begins where the goal's words are", () => {
    const text = `${"// licence\n".repeat(300)}export function backoff() {}\n`;
    const { pack } = built({ hits: [{ path: "a.ts", score: 1 }] }, { "a.ts": text });
    expect(pack.relevantFiles?.[0]?.excerpt).toBe("export function backoff() {}");
  });
});

describe("policy, ids and redaction", () => {
  test("27: planning writes to the documents only", () => {
    const planning = built({ globalMode: "planning", toolPolicy: { approvalMode: "always" } }).pack;
    expect(planning.toolPolicy).toEqual({ approvalMode: "always", writeRoots: ["/docs"] });
    expect(built().pack.toolPolicy).toBeUndefined();
    expect(built({ globalMode: "planning", docsRoot: "handbook/" }).pack.toolPolicy).toEqual({
      writeRoots: ["/handbook"],
    });
  });
  test("the id follows from run, node and turn; without a run, from the input without its clock", () => {
    const id = (over: Partial<BuildInput>) => built(over).pack.packId;
    expect(id({ now: "2027-01-01T00:00:00Z", hits: [{ path: "a", score: 1 }] })).toBe(id({}));
    expect(id({ node: { ...node, turn: 2 } })).not.toBe(id({}));
    expect(id({ run: undefined, now: "2027-01-01T00:00:00Z" })).toBe(id({ run: undefined }));
    expect(id({ run: undefined, hits: [{ path: "a", score: 1 }] })).not.toBe(id({ run: undefined }));
    expect(id({ run: { id: "run-123" } })).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
  });
  test("a secret is found before it is cut, and its place is noted, never its value", () => {
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    for (let before = 1_150; before < 1_210; before += 3) {
      const text = `${"x".repeat(before)} ${token} and more`;
      const { pack, sidecar } = built({ hits: [{ path: "a.ts", score: 1 }] }, { "a.ts": text });
      expect(JSON.stringify([pack, sidecar])).not.toContain("ghp_");
      expect(Buffer.byteLength(pack.relevantFiles?.[0]?.excerpt ?? "")).toBeLessThanOrEqual(1_200);
    }
    const { sidecar } = built({ constraints: { db: { password: "hunter2" } } });
    expect(sidecar.redactions).toEqual([{ pointer: "/constraints/db/password", kind: "env_secret", count: 1 }]);
  });
  test("a secret that is a member's name", () => {
    const constraints = { ghp_abcdefghijklmnopqrstuvwxyz0123456789: 1, ghp_zbcdefghijklmnopqrstuvwxyz0123456789: 2 };
    const { pack, sidecar } = built({ constraints });
    expect(pack.constraints).toEqual({ "[REDACTED:github_token]": 1, "[REDACTED:github_token] 2": 2 });
    expect(sidecar.redactions).toEqual([
      { pointer: "/constraints", kind: "github_token", count: 1 },
      { pointer: "/constraints", kind: "github_token", count: 1 },
    ]);
  });
  test("a secret in an id is an error: a redacted id leads nowhere", () => {
    const ref = "artifact://logs/ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    expect(refusal({ watermark: 0, events: [event(1, { ref })] })).toMatch(
      /^redaction_failed \/artifacts\/0\/ref: contains/,
    );
  });
  test("what a rule still finds after trimming ends the build", () => {
    const redact = { ...redactor, value: <T>(value: T) => ({ value, findings: [{ kind: "jwt", pointer: "/goal" }] }) };
    expect(buildPack({ input: buildInput(), read: () => null, redact })).toMatchObject({
      ok: false,
      code: "redaction_failed",
      detail: { findings: [{ kind: "jwt", pointer: "/goal" }] },
    });
  });
});
