// What a pack is built from besides cards: envelopes and named artifacts, over REST and with every table counted.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sha } from "@/server/testing/packs";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const P = "pack_sources";
const at = (path = "") => `/projects/${P}/context-packs${path}`;
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());
const { ok, send, refused } = restOf(() => kernel);

let nth = 0;
beforeEach(() => {
  nth++;
});
const request = (over: object = {}) => ({ goal: `Retry, ${nth}.`, definition_of_done: ["All tests pass"], ...over });

const envelope = (n: number, over: object = {}) => ({
  payloadId: `00000000-0000-4000-8000-${String(nth * 100 + n).padStart(12, "0")}`,
  kind: "message",
  fromNodeId: "coder",
  edgeId: "edge-1",
  createdAt: "2026-01-13T10:00:00.000Z",
  status: { ok: true },
  ...over,
});

test("a long message of an envelope becomes an artifact, whole and without its secret", async () => {
  const content = `${TOKEN} ${"result ".repeat(2_000)}`;
  const sent = envelope(1, { message: { content, format: "markdown" } });
  const record = await ok("POST", at(), request({ envelopes: [sent, sent] }));
  const { pack } = await ok("GET", at(`/${record.sha256}`));
  expect(pack.inputs).toMatchObject([{ payloadId: sent.payloadId }]);
  const ref = `artifact://messages/${sent.payloadId}.md`;
  expect(pack.artifacts).toMatchObject([{ ref, type: "file" }]);
  const { rows } = await kernel.test.pool.query(
    "SELECT convert_from(bytes, 'UTF8') AS text FROM resource.artifacts WHERE project_id = $1 AND sha256 = $2",
    [P, pack.artifacts[0].sha256],
  );
  expect(rows[0].text).toBe(content.replace(TOKEN, "[REDACTED:github_token]"));
  expect(await ok("POST", at(`/${record.sha256}:verify`))).toEqual({ verdict: "same" });
  // The same payload with another text is another payload.
  const other = { ...sent, message: { content: `x${content}`, format: "markdown" } };
  expect(await refused("POST", at(), { body: request({ envelopes: [other] }) })).toMatchObject({
    status: 409,
    error_code: "artifact_conflict",
  });
});

test("artifacts of envelopes stay with the pack, and a digest that is not theirs is a conflict", async () => {
  const name = `logs/fail-${nth}.txt`;
  const put = await send("PUT", `/projects/${P}/artifacts/${name}`, { raw: `failed ${nth}`, type: "text/plain" });
  const ref = `artifact://${name}`;
  const failed = (sha256: string) =>
    envelope(2, { kind: "verification", status: { ok: false }, artifacts: [{ ref, type: "log", sha256 }] });
  await ok("POST", at(), request({ envelopes: [failed(put.json.sha256)] }));
  expect(await refused("DELETE", `/projects/${P}/artifacts/${name}`)).toMatchObject({ status: 409 });
  expect(await refused("POST", at(), { body: request({ envelopes: [failed(sha("x"))] }) })).toMatchObject({
    error_code: "artifact_conflict",
  });
  expect(
    await refused("POST", at(), { body: request({ envelopes: [{ ...failed(sha("x")), toNodeId: "n" }] }) }),
  ).toMatchObject({ status: 422 });
});

test("a text artifact is a document; what is no text, and what does not exist, is refused", async () => {
  const name = `notes/${nth}.md`;
  const path = `/projects/${P}/artifacts`;
  await send("PUT", `${path}/${name}`, { raw: `# Backoff\n\nDouble it. ${TOKEN}`, type: "text/markdown" });
  await send("PUT", `${path}/notes/${nth}.bin`, { raw: "x", type: "application/octet-stream" });
  const from = (ref: string) => request({ from_artifacts: [`artifact://notes/${ref}`] });
  const record = await ok("POST", at(), from(`${nth}.md`));
  const { pack } = await ok("GET", at(`/${record.sha256}`));
  expect(pack.docRefs[0]).toMatchObject({
    path: `artifact://${name}`,
    excerpt: "# Backoff\n\nDouble it. [REDACTED:github_token]",
  });
  expect(await ok("POST", at(`/${record.sha256}:verify`))).toEqual({ verdict: "same" });
  expect(await refused("POST", at(), { body: from(`${nth}.bin`) })).toMatchObject({ status: 400 });
  expect(await refused("POST", at(), { body: from("none.txt") })).toMatchObject({ status: 404 });
  expect(await refused("POST", at(), { body: from("../x") })).toMatchObject({ status: 422 });
});
