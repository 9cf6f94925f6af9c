// Named artifacts over REST: names that never change what they stand for, bytes that are there whole or not at all.
import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/server/env";
import { deleteCard } from "@/server/kernel/artifacts/delete-card";
import { deleteName } from "@/server/kernel/artifacts/delete-name";
import { artifactRefs } from "@/server/kernel/artifacts/store-artifacts";
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import { watchOnce } from "@/server/kernel/reclaim/watch-turns";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { tunables } from "@/server/kernel/tunables";
import { withUnit } from "@/server/kernel/unit";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { serveRest } from "./serve";

let kernel: TestKernel;
const project_id = "named";
const MIB = 1_048_576;

beforeAll(async () => {
  // Small enough that a few pieces are a large value.
  kernel = await openTestKernel({ tunables: { ...tunables, artifactBytesMax: 2 * MIB, uploadBytesMax: 6 * MIB } });
  await seedProject(kernel, project_id, [{ name: "Plain" }]);
  await seedProject(kernel, "other", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const rest = restOf(() => kernel);
const sha = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const at = (name: string, of = project_id) => `/projects/${of}/artifacts/${name}`;

type Sent = { headers?: Record<string, string>; of?: string };

/** As a client sends it, in parts of any size. */
async function put(name: string, body: Uint8Array | ReadableStream<Uint8Array>, { headers, of }: Sent = {}) {
  const host = `127.0.0.1:${env().PORT}`;
  const request = new Request(`http://${host}/api/v1${at(name, of)}`, {
    method: "PUT",
    body: body as BodyInit,
    headers: { host, ...headers },
    duplex: "half",
  } as RequestInit);
  const response = await serveRest(kernel, request, new URL(request.url).pathname.replace("/api/v1", ""));
  return { status: response.status, json: await response.json() };
}

async function read(name: string, method = "GET") {
  const host = `127.0.0.1:${env().PORT}`;
  const request = new Request(`http://${host}/api/v1${at(name)}`, { method, headers: { host } });
  const response = await serveRest(kernel, request, new URL(request.url).pathname.replace("/api/v1", ""));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const text = (content: string) => Buffer.from(content);

test("a name is given once: the same bytes are no change, other bytes are a conflict that names both digests", async () => {
  const first = await put("logs/run/1.txt", text("one"), { headers: { "content-type": "text/plain; charset=utf-8" } });
  expect(first).toMatchObject({
    status: 201,
    json: { ref: "artifact://logs/run/1.txt", area: "logs", name: "run/1.txt", sha256: sha("one"), size: 3 },
  });
  expect(first.json.mime).toBe("text/plain");
  const before = await countRows(kernel);
  expect(await put("logs/run/1.txt", text("one"))).toEqual({ status: 200, json: first.json });
  expect(await put("logs/run%2F1.txt", text("one"))).toEqual({ status: 200, json: first.json });
  const other = await put("logs/run/1.txt", text("two"));
  expect(other).toMatchObject({
    status: 409,
    json: {
      detail: { error_code: "artifact_conflict", detail: { stored_sha256: sha("one"), given_sha256: sha("two") } },
    },
  });
  expect(other.json.detail.error_message).toContain(sha("one"));
  expect(other.json.detail.error_message).toContain(sha("two"));
  expect(await countRows(kernel)).toEqual(before);
  // The same name in another project is another name.
  expect(await put("logs/run/1.txt", text("two"), { of: "other" })).toMatchObject({ status: 201 });
});

test("it is served as foreign bytes are, and HEAD says how large it is", async () => {
  await put("web/page.html", text("<script>1</script>"), { headers: { "content-type": "text/html" } });
  const { status, headers, bytes } = await read("web/page.html");
  expect([status, bytes.toString()]).toEqual([200, "<script>1</script>"]);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": 'attachment; filename="page.html"',
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "content-length": "18",
    etag: `"${sha("<script>1</script>")}"`,
  });
  const head = await read("web/page.html", "HEAD");
  expect([head.status, head.bytes.length, head.headers.get("content-length")]).toEqual([200, 0, "18"]);
  expect((await rest.get(`/projects/${project_id}/artifacts/${sha("nothing")}`)).status).toBe(404);
  const byDigest = await read(sha("<script>1</script>"));
  expect(byDigest.bytes.toString()).toBe("<script>1</script>");
});

test.each([
  ["logs/../x", 404],
  ["logs/a%2F..%2Fb", 400],
  ["logs/%252e%252e/x", 400],
  ["logs/a%5Cb", 400],
  ["logs//x", 400],
  ["logs/x/", 400],
  ["logs/a%20b", 400],
  ["-logs/x", 400],
  [`logs/${"a".repeat(129)}`, 400],
])("the name %s is refused", async (name, status) => {
  const before = await countRows(kernel);
  const sent = await put(name, text("x"));
  // An address with dots has been resolved before anybody here sees it; the front refuses it as it is written.
  expect(status === 404 ? sent.status >= 400 : sent.status === status, JSON.stringify(sent)).toBe(true);
  expect(await countRows(kernel)).toEqual(before);
});

test("compressed bodies are refused before anything is read or stored, a type of gzip is not", async () => {
  const packed = gzipSync("packed");
  const before = await countRows(kernel);
  const refused = await put("packed/a.txt", packed, { headers: { "content-encoding": "gzip" } });
  expect(refused).toMatchObject({ status: 415, json: { detail: { error_code: "unsupported_coding" } } });
  expect(refused.json.detail.error_message).toMatch(/^Content-Encoding: "gzip" .*; send the body as it is/);
  for (const path of ["/cards", "/imports?format=bundle", "/profiles"]) {
    const headers = { "content-encoding": "identity, foo" };
    const { status, headers: said } = await rest.send("POST", `/projects/${project_id}${path}`, { body: {}, headers });
    expect([path, status, said.get("accept-encoding")]).toEqual([path, 415, "identity"]);
  }
  expect(await countRows(kernel)).toEqual(before);
  const typed = { "content-type": "application/gzip", "content-encoding": "Identity" };
  expect(await put("packed/a.tgz", packed, { headers: typed })).toMatchObject({ status: 201 });
});

test("an announced digest is compared, in the query and in the header", async () => {
  const before = await countRows(kernel);
  const digest = createHash("sha256").update("right").digest("base64");
  const wrong = await put(`sums/a.txt?sha256=${sha("left")}`, text("right"));
  expect(wrong).toMatchObject({ status: 422, json: { detail: { error_code: "digest_mismatch" } } });
  const header = { "content-digest": `sha-256=:${digest}:` };
  expect(await put("sums/a.txt", text("left"), { headers: header })).toMatchObject({ status: 422 });
  expect(await put("sums/a.txt", text("right"), { headers: { "content-digest": "md5=x" } })).toMatchObject({
    status: 400,
  });
  expect(await put(`sums/a.txt?sha256=${sha("left")}`, text("right"), { headers: header })).toMatchObject({
    status: 400,
  });
  // Of several pieces: they are taken away again.
  const large = randomBytes(3 * MIB);
  expect(await put(`sums/b.bin?sha256=${sha("left")}`, large)).toMatchObject({ status: 422 });
  expect(await countRows(kernel)).toEqual(before);
  expect(await put(`sums/a.txt?sha256=sha256:${sha("right")}`, text("right"), { headers: header })).toMatchObject({
    status: 201,
  });
});

test.each([
  ["empty", 0, { bytes: 1, pieces: 0 }],
  ["of one piece", MIB, { bytes: 1, pieces: 0 }],
  ["of one piece and a byte, kept in one row", MIB + 1, { bytes: 1, pieces: 0 }],
  ["in pieces", 4 * MIB + 7, { bytes: 0, pieces: 5 }],
])("a value that is %s comes back as it was", async (_what, size, lies) => {
  const bytes = randomBytes(size);
  const name = `sizes/${size}.bin`;
  const before = await countRows(kernel);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent >= size) return controller.close();
      // Cut as a network cuts.
      controller.enqueue(bytes.subarray(sent, sent + 65_537));
      sent += 65_537;
    },
  });
  expect(await put(name, body)).toMatchObject({ status: 201, json: { size, sha256: sha(bytes) } });
  const { bytes: got, headers } = await read(name);
  expect(got.equals(bytes)).toBe(true);
  expect(headers.get("content-length")).toBe(String(size));
  const { rows } = await kernel.test.pool.query(
    `SELECT count(bytes)::int AS bytes, (SELECT count(*)::int FROM resource.artifact_chunks c
       WHERE c.project_id = a.project_id AND c.blob_id = a.blob_id) AS pieces
     FROM resource.artifacts a WHERE project_id = $1 AND sha256 = $2 GROUP BY a.project_id, a.blob_id`,
    [project_id, sha(bytes)],
  );
  expect(rows).toEqual([lies]);
  // Again under another name: the bytes are there once.
  expect(await put(`again/${size}.bin`, bytes)).toMatchObject({ status: 201 });
  await withUnit(kernel, (unit) => deleteName(unit, { project_id, area: "again", name: `${size}.bin` }));
  expect((await read(name)).bytes.equals(bytes)).toBe(true);
  expect(await rest.send("DELETE", at(name))).toMatchObject({ status: 204 });
  expect((await read(name)).status).toBe(404);
  expect(await countRows(kernel)).toEqual(before);
});

test("a value over the limit is refused, with or without its length, and leaves nothing", async () => {
  const before = await countRows(kernel);
  const bytes = new Uint8Array(6 * MIB + 1);
  const said = await put("big/a", bytes, { headers: { "content-length": String(bytes.length) } });
  expect(said).toMatchObject({ status: 413, json: { detail: { error_code: "payload_too_large" } } });
  expect(await put("big/a", bytes)).toMatchObject({ status: 413 });
  expect(await countRows(kernel)).toEqual(before);
});

test("a client that hangs up leaves nothing that can be read, with an error or with an early end", async () => {
  const before = await countRows(kernel);
  const after = (end: (controller: ReadableStreamDefaultController<Uint8Array>) => void) => {
    let parts = 0;
    return new ReadableStream<Uint8Array>({
      pull: (controller) => (parts++ < 3 ? controller.enqueue(randomBytes(MIB)) : end(controller)),
    });
  };
  const broken = await put(
    "hung/up",
    after((controller) => controller.error(new Error("ECONNRESET"))),
  );
  expect(broken).toMatchObject({ status: 408, json: { detail: { error_code: "request_timeout" } } });
  const short = await put(
    "hung/up",
    after((controller) => controller.close()),
    {
      headers: { "content-length": String(4 * MIB) },
    },
  );
  expect(short).toMatchObject({ status: 408 });
  expect((await read("hung/up")).status).toBe(404);
  expect(await countRows(kernel)).toEqual(before);
});

test("pieces of a process that died are swept once they are old, and those of an upload under way are not", async () => {
  const before = await countRows(kernel);
  for (const blob_id of ["dead", "alive"]) {
    await kernel.test.pool.query("INSERT INTO resource.artifact_blobs (project_id, blob_id) VALUES ($1, $2)", [
      project_id,
      blob_id,
    ]);
    await kernel.test.pool.query("INSERT INTO resource.artifact_chunks VALUES ($1, $2, 0, 'x')", [project_id, blob_id]);
  }
  await kernel.test.pool.query(
    "UPDATE resource.artifact_blobs SET touched_at = now() - interval '11 minutes' WHERE blob_id = 'dead'",
  );
  expect((await watchOnce(kernel)).acted["delete-uploads"]).toBe(1);
  expect((await watchOnce(kernel)).acted["delete-uploads"]).toBeUndefined();
  await kernel.test.pool.query("DELETE FROM resource.artifact_blobs WHERE blob_id = 'alive'");
  const { "public.card_search": _indexed, ...after } = await countRows(kernel);
  expect(before).toMatchObject(after);
});

test("two uploads of one name at once: one wins, and the other is told", async () => {
  const [one, two] = [randomBytes(3 * MIB), randomBytes(3 * MIB)];
  const answers = await Promise.all([put("race/a", one), put("race/a", two)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const same = await Promise.all(Array.from({ length: 4 }, () => put("race/b", one)));
  expect(same.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  const { rows } = await kernel.test.pool.query(
    `SELECT count(*)::int AS n FROM resource.artifact_blobs b WHERE NOT EXISTS
       (SELECT 1 FROM resource.artifacts a WHERE a.project_id = b.project_id AND a.blob_id = b.blob_id)`,
  );
  expect(rows).toEqual([{ n: 0 }]);
});

test("other projects' names are not found, and a list is paged and filtered by area", async () => {
  await put("secret/a.txt", text("a"), { of: "other" });
  expect((await read("secret/a.txt")).status).toBe(404);
  expect((await rest.refused("DELETE", at("secret/a.txt"))).status).toBe(404);
  for (const n of [1, 2, 3]) await put(`listed/${n}.txt`, text(String(n)));
  const first = await rest.ok("GET", `/projects/${project_id}/artifacts?area=listed&limit=2`);
  expect(first.items.map((one: { name: string }) => one.name)).toEqual(["3.txt", "2.txt"]);
  const rest_of = await rest.ok("GET", `/projects/${project_id}/artifacts?area=listed&cursor=${first.next_cursor}`);
  expect(rest_of.items.map((one: { name: string }) => one.name)).toEqual(["1.txt"]);
  expect((await rest.refused("GET", `/projects/other/artifacts?cursor=${first.next_cursor}`)).status).toBe(400);
  expect((await rest.refused("GET", `/projects/${project_id}/artifacts?cursor=x.y`)).status).toBe(400);
});

test("bytes with a name stay when their last card goes, and those with a card when their name goes", async () => {
  const bytes = text("shared by a card and a name");
  await put("kept/a.txt", bytes);
  const artifacts = artifactRefs([{ mime: "text/plain", bytes }], MIB);
  const content = { kind: "tool_result", status: "success", result: "x", artifacts } as const;
  const [card] = await withUnit(kernel, (unit) =>
    insertCards(unit, { project_id, cards: [{ type: "note", author_id: "t", content }] }),
  );
  await rest.send("DELETE", at("kept/a.txt"));
  expect((await read(sha(bytes))).status).toBe(200);
  await put("kept/b.txt", bytes);
  const card_id = card?.card_id ?? "";
  await withUnit(kernel, (unit) => deleteCard(unit, { project_id, card_id, by: "human_local" }));
  expect((await read("kept/b.txt")).bytes.equals(bytes)).toBe(true);
});

test("the published schemas are served as such", async () => {
  const { items } = await rest.ok("GET", "/schemas");
  expect(items).toContain("edge-payload.schema.json");
  const { headers, json } = await rest.get("/schemas/context-pack.schema.json");
  expect(headers.get("content-type")).toBe("application/schema+json");
  expect(json.title).toBe("Context pack");
  expect((await rest.refused("GET", "/schemas/none")).status).toBe(404);
});

test("they go with their project", async () => {
  await put("gone/a", randomBytes(3 * MIB), { of: "other" });
  await deleteProject(kernel, "other");
  for (let i = 0; i < 5; i++) await watchOnce(kernel);
  for (const table of ["artifact_names", "artifact_chunks", "artifact_blobs", "artifacts"]) {
    const { rowCount } = await kernel.test.pool.query(`SELECT 1 FROM resource.${table} WHERE project_id = 'other'`);
    expect([table, rowCount]).toEqual([table, 0]);
  }
});
