// Bundles that nobody should have made: each is refused by name, and not a row is written.

import { createHash, randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUNDLE_LIMITS, BUNDLE_PARTS } from "@/server/contract/bundle/manifest";
import { claimInbox } from "@/server/kernel/inbox/claim-inbox";
import { createProject } from "@/server/kernel/roster/create-project";
import { bundleBytes, bundleTexts } from "@/server/testing/bundles";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, readTables, seedProject, type TestKernel } from "@/server/testing/kernel";
import { importBundle } from "./import-bundle";
import { readTar } from "./read-tar";

const P = "source";
let kernel: TestKernel;
let bundle: Buffer;
let parts: Map<string, string>;
const { running } = callersOf(() => kernel, P);
let live: Awaited<ReturnType<typeof running>>;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
  for (const project_id of ["target", "lives"]) await createProject(kernel, { project_id, title: project_id });
  live = await running("Plain");
  bundle = await bundleBytes(kernel, { project_id: P, root_turn_id: live.turn.root_turn_id });
  parts = await bundleTexts(bundle);
}, 60_000);
afterAll(() => kernel.close());

type Entry = { name: string; text?: string; type?: "symlink" | "link" | "directory"; linkname?: string };

async function tarOf(entries: Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { text = "", ...header } of entries) tar.entry(header, text);
  tar.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of tar as AsyncIterable<Uint8Array>) pieces.push(piece);
  return gzipSync(Buffer.concat(pieces));
}

const entriesOf = (texts: Map<string, string>): Entry[] => [...texts].map(([name, text]) => ({ name, text }));

/** With a manifest that agrees: what is left is what the lines say. */
function sealed(change: Record<string, (text: string) => string>): Promise<Buffer> {
  const texts = new Map(parts);
  for (const [name, make] of Object.entries(change)) texts.set(name, make(texts.get(name) ?? ""));
  const manifest = JSON.parse(texts.get("manifest.json") ?? "");
  for (const [name, text] of texts) {
    if (name === "manifest.json") continue;
    manifest.sha256[name] = createHash("sha256").update(text).digest("hex");
    if (name in manifest.counts) manifest.counts[name] = text.split("\n").length - 1;
  }
  texts.set("manifest.json", `${JSON.stringify(manifest)}\n`);
  return tarOf(entriesOf(texts));
}

const eachLine = (make: (line: Record<string, unknown>) => Record<string, unknown>) => (text: string) =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : JSON.stringify(make(JSON.parse(line)))))
    .join("\n");

async function refusal(bytes: Uint8Array): Promise<{ code: string; message: string }> {
  const before = await readTables(kernel);
  const error = await importBundle(kernel, { project_id: "target", bytes }).then(
    () => new Error("it was imported"),
    (reason: unknown) => reason,
  );
  expect(await readTables(kernel)).toEqual(before);
  return error as { code: string; message: string };
}

describe("the file", () => {
  test("is cut off, or no gzip at all", async () => {
    expect(await refusal(bundle.subarray(0, bundle.length >> 1))).toMatchObject({ code: "bad_request" });
    expect(await refusal(Buffer.from("{}"))).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("can't be read"),
    });
  });
  test("unpacks to far more than it is, or to more than a bundle may be", { timeout: 60_000 }, async () => {
    const ratio = await tarOf([{ name: "turns.jsonl", text: " ".repeat(3_000_000) }]);
    expect(await refusal(ratio)).toMatchObject({
      code: "payload_too_large",
      message: expect.stringContaining("100 times"),
    });
    const bomb = gzipSync(Buffer.alloc(BUNDLE_LIMITS.bytesMax + 1_048_576), { level: 0 });
    expect(await refusal(bomb)).toMatchObject({ code: "payload_too_large" });
    const lines = await tarOf([{ name: "turns.jsonl", text: "\n".repeat(BUNDLE_LIMITS.linesMax + 1) }]);
    expect(await refusal(Buffer.concat([lines, gzipSync(Buffer.alloc(40_000), { level: 0 })]))).toMatchObject({
      code: "payload_too_large",
    });
  });
  // Lines were counted anew over all files at each of them: a file of one megabyte took ten minutes, and others waited.
  test("has very many files", { timeout: 30_000 }, async () => {
    const files = Array.from({ length: 20_000 }, (_, i) => ({
      name: `artifacts/${i.toString(16).padStart(64, "0")}`,
      text: "\n",
    }));
    const folder = await readTar(await tarOf(files));
    expect(folder.names()).toHaveLength(files.length);
    expect(folder.lineCount).toBe(0);
    await folder.remove();
  });
  test("has a context pack whose bytes are none", async () => {
    const sha256 = createHash("sha256").update("{}").digest("hex");
    const zero = { whole: 0, shortened: 0, left_out: 0, redactions: 0, conflicts: 0, warnings: 0 };
    const pack = {
      ...{
        sha256,
        sidecar_sha256: sha256,
        input_sha256: sha256,
        input_key: "k",
        pack_id: crypto.randomUUID(),
        kind: "built",
      },
      ...{ title: "Forged", goal: "None", estimate: 1, token_limit: 1, found: 1, profile: "routine", counts: zero },
      ...{ global_mode: "planning", agent_turn_id: null, created_by: "ann", created_at: "2026-01-31T08:00:00.000000Z" },
      sources: [],
    };
    const line = (value: object) => () => `${JSON.stringify(value)}\n`;
    const forged = await sealed({
      [`artifacts/${sha256}`]: () => "{}",
      "artifacts/files.jsonl": line({ sha256, mime: "application/json", size: 2 }),
      "artifacts/packs.jsonl": line(pack),
    });
    expect(await refusal(forged)).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("artifacts/packs.jsonl line 1: sha256 names bytes that are no context pack"),
    });
  });
  // Read at once, thirty times its size as a value: a small file of one long line could end the server.
  test("has a line without an end", { timeout: 60_000 }, async () => {
    const noise = randomBytes(2_000_000).toString("base64");
    const text = `[${"{},".repeat(BUNDLE_LIMITS.lineBytesMax / 3)}${noise}`;
    expect(await refusal(await tarOf([{ name: "turns.jsonl", text }]))).toMatchObject({
      code: "payload_too_large",
      message: `turns.jsonl line 1 is over ${BUNDLE_LIMITS.lineBytesMax} bytes, the limit here`,
    });
    // A file is no line.
    const folder = await readTar(await tarOf([{ name: `artifacts/${"a".repeat(64)}`, text }]));
    await folder.remove();
  });
  test.each(["../turns.jsonl", "/etc/passwd", "./turns.jsonl", "more.json", "artifacts/../run.json", "artifacts/x"])(
    "has the name %s",
    async (name) =>
      expect(await refusal(await tarOf([...entriesOf(parts), { name, text: "x" }]))).toMatchObject({
        code: "bad_request",
        message: expect.stringContaining("does not belong into a bundle"),
      }),
  );
  test.each(["symlink", "link", "directory"] as const)("has a %s", async (type) => {
    const entry = { name: "turns.jsonl", type, linkname: "/etc/passwd" };
    expect(await refusal(await tarOf([entry]))).toMatchObject({ message: expect.stringContaining("plain files only") });
  });
  test("has two parts of one name, or lacks one", async () => {
    const twice = [...entriesOf(parts), { name: "turns.jsonl", text: "" }];
    expect((await refusal(await tarOf(twice))).message).toContain("turns.jsonl is in the tar twice");
    for (const name of ["manifest.json", "turns.jsonl"]) {
      const less = new Map(parts);
      less.delete(name);
      expect((await refusal(await tarOf(entriesOf(less)))).message).toContain(`${name} is missing`);
    }
  });
});

describe("the parts", () => {
  test.each(BUNDLE_PARTS)("%s was changed", async (name) => {
    const texts = new Map(parts).set(name, `${parts.get(name)} `);
    const { code, message } = await refusal(await tarOf(entriesOf(texts)));
    expect({ code, message }).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining(`${name} was changed`),
    });
  });
  test.each([
    ["turns.jsonl", "parent_turn_id", "turn_nowhere"],
    ["turns.jsonl", "agent_id", "human_nobody"],
    ["turns.jsonl", "context_box_id", "nowhere"],
    ["turns.jsonl", "instruction_card_id", "nothing"],
    ["edges.jsonl", "source_turn_id", "turn_nowhere"],
    ["agents.jsonl", "profile_box_id", "nowhere"],
  ])("%s names a %s that is nowhere", async (part, field, id) => {
    const bytes = await sealed({ [part]: eachLine((line) => ({ ...line, [field]: id })) });
    expect((await refusal(bytes)).message).toContain(`${part} line 1: ${field} ${id} is not in`);
  });
  test("a box holds a card that is nowhere", async () => {
    const bytes = await sealed({
      "boxes.jsonl": eachLine((line) => ({ ...line, card_ids: ["nothing"], origins: [[1, "sys"]] })),
    });
    expect((await refusal(bytes)).message).toContain("card_ids nothing is not in cards.jsonl");
  });
  test.each([
    ["profiles.jsonl", { name: "sys.mine" }],
    ["profiles.jsonl", { worker_target: "human" }],
    ["agents.jsonl", { worker_target: "sys.mailer", is_human: false, agent_id: "mine" }],
    ["agents.jsonl", { is_human: false, agent_id: "human_eve" }],
  ])("%s has a reserved name: %o", async (part, change) => {
    const bytes = await sealed({ [part]: eachLine((line) => ({ ...line, ...change })) });
    expect((await refusal(bytes)).message).toMatch(/reserved/);
  });
  test("a card is not what its digest says, a field is unknown, a turn calls itself", async () => {
    const other = { kind: "text", text: "other" };
    const lies = await sealed({ "cards.jsonl": eachLine((line) => ({ ...line, content: other })) });
    expect((await refusal(lies)).message).toContain("content_hash is not that of the content");
    const more = await sealed({ "turns.jsonl": eachLine((line) => ({ ...line, lease_holder: "me" })) });
    expect((await refusal(more)).message).toContain("turns.jsonl line 1");
    const loop = await sealed({ "turns.jsonl": eachLine((line) => ({ ...line, parent_turn_id: line.agent_turn_id })) });
    expect((await refusal(loop)).message).toContain("among its own callers");
  });
  test("a text holds what no database stores", async () => {
    const bytes = await sealed({ "run.json": eachLine((line) => ({ ...line, title: "a\u0000b" })) });
    expect((await refusal(bytes)).message).toContain("NUL");
  });
  const deep = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  /** Digits: what repeats itself unpacks to more than a bundle may. */
  const noise = (length: number): string => Array.from(randomBytes(length), (byte) => byte % 10).join("");
  const proto = JSON.parse('{"a": [{"__proto__": {"is_admin": true}}]}') as unknown;
  test.each<[string, string, unknown, string]>([
    ["turns.jsonl", "title", `a\u0000b`, "turns.jsonl line 1.title contains a NUL byte or half a surrogate pair"],
    ["turns.jsonl", "note", "a\ud83db", "turns.jsonl line 1.note contains a NUL byte or half a surrogate pair"],
    ["turns.jsonl", "error", noise(4_400_000), "turns.jsonl line 1.error: expected at most 4194304 characters"],
    ["turns.jsonl", "channel", "x".repeat(2_000), "turns.jsonl line 1.channel: expected at most 1024 characters"],
    ["turns.jsonl", "profile_name", "a\u202egpj.exe", "turns.jsonl line 1.profile_name: a name has no line breaks"],
    ["turns.jsonl", "forked_from", "text", "turns.jsonl line 1.forked_from: expected an object"],
    ["turns.jsonl", "forked_from", { a: deep(450) }, "turns.jsonl line 1.forked_from is nested deeper than 400 levels"],
    ["run.json", "metadata", proto, "run.json line 1.metadata.a.0.__proto__ is not allowed as a name"],
    ["run.json", "metadata", { list: [...noise(2_000_001)].map(Number) }, "run.json line 1 has over 2000000 values"],
    ["edges.jsonl", "metadata", [1], "edges.jsonl line 1.metadata: expected an object"],
    ["agents.jsonl", "tags", ["a\nb"], "agents.jsonl line 1.tags.0: a name has no line breaks"],
    ["boxes.jsonl", "receipt", 7, "boxes.jsonl line 1.receipt: expected an object"],
  ])("%s: %s is refused with its line and its name", async (part, field, value, message) => {
    const bytes = await sealed({ [part]: eachLine((line) => ({ ...line, [field]: value })) });
    expect(await refusal(bytes)).toMatchObject({ code: "bad_request", message: expect.stringContaining(message) });
  });
});

describe("what was still going on", () => {
  test("has ended in the copy, and nobody can claim it; the same bundle twice is once", async () => {
    const result = await importBundle(kernel, { project_id: "lives", bytes: bundle });
    const { rows } = await kernel.db.pool.query(
      "SELECT status, error_code FROM state.agent_turns WHERE project_id = 'lives' AND agent_turn_id = $1",
      [live.agent_turn_id],
    );
    expect(rows).toEqual([{ status: "canceled", error_code: "imported_while_live" }]);
    const heads = await kernel.db.pool.query(
      "SELECT DISTINCT status FROM state.agent_state_head WHERE project_id = 'lives'",
    );
    expect(heads.rows).toEqual([{ status: "idle" }]);
    const claimed = await claimInbox(kernel, {
      project_id: "lives",
      worker_id: "w",
      worker_targets: ["worker_generic"],
      limit: 10,
    });
    expect(claimed).toEqual([]);
    const before = await readTables(kernel);
    expect(await importBundle(kernel, { project_id: "lives", bytes: bundle })).toMatchObject({
      ...result,
      is_replay: true,
      skipped: expect.any(Number),
    });
    expect(await readTables(kernel)).toEqual(before);
  });
  test("an id that the project has with other content is refused, and nothing is half written", async () => {
    const [card] = (parts.get("cards.jsonl") ?? "").split("\n");
    const { card_id } = JSON.parse(card ?? "");
    await kernel.db.pool.query(
      `INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count)
       VALUES ('target', $1, '{"kind": "text", "text": "mine"}', '{"type": "task.context", "role": "user"}', 'x', 1)`,
      [card_id],
    );
    expect(await refusal(bundle)).toMatchObject({ code: "conflict", message: expect.stringContaining(card_id) });
  });
});

test("the archive says nothing of when, where and by whom it was made", () => {
  // Of the gzip: flags and time. Of the first entry of the tar: owner, group and time.
  expect(bundle.subarray(3, 8)).toEqual(Buffer.alloc(5));
  const tar = gunzipSync(bundle);
  expect(Number.parseInt(tar.subarray(136, 147).toString(), 8)).toBe(0);
  expect(tar.subarray(265, 329).every((byte) => byte === 0)).toBe(true);
});
