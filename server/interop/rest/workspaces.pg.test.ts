// Workspaces over REST: registered by name and never by a path, indexed, sent as bytes, and deleted.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pack } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/server/env";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { serveRest } from "./serve";

let kernel: TestKernel;
const project_id = "rest-spaces";
const at = `/projects/${project_id}/workspaces`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rest-workspaces-"));

beforeAll(async () => {
  fs.writeFileSync(path.join(folder, "one.txt"), "one\n");
  kernel = await openTestKernel({ workspaceFolders: { code: { path: folder } } });
  await seedProject(kernel, project_id);
});
afterAll(async () => {
  await kernel.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const { ok, post, refused, get } = restOf(() => kernel);

async function put(name: string, body: Uint8Array) {
  const host = `127.0.0.1:${env().PORT}`;
  const request = new Request(`http://${host}/api/v1${at}/${name}/content`, {
    method: "PUT",
    body: body as BodyInit,
    headers: { host },
    duplex: "half",
  } as RequestInit);
  const response = await serveRest(kernel, request, `${at}/${name}/content`);
  return { status: response.status, json: await response.json() };
}

async function tarOf(name: string, text: string): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name }, text);
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

test("a folder is registered by its name, indexed while its progress can be read, and deleted", async () => {
  expect(await ok("GET", at)).toEqual({ items: [] });
  expect(await post(at, { name: "code" })).toMatchObject({ status: 201, json: { name: "code", state: "new" } });
  expect(await post(`${at}/code:index`, undefined)).toMatchObject({ status: 202, json: { name: "code" } });
  await expect.poll(async () => (await get(`${at}/code`)).json.state, { timeout: 10_000 }).toBe("ready");
  const { items } = await ok("GET", at);
  expect(items).toMatchObject([{ name: "code", kind: "folder", files: 1, seen: 1, done: 1, error: null }]);
  expect(JSON.stringify(items)).not.toContain(folder);
  await ok("DELETE", `${at}/code`);
  expect(await refused("GET", `${at}/code`)).toMatchObject({ status: 404, error_code: "not_found" });
  expect(fs.existsSync(path.join(folder, "one.txt"))).toBe(true);
});

test("a path is no name, and a folder that nobody opened is not found", async () => {
  for (const name of ["../etc", "/etc", "Code", ""])
    expect(await refused("POST", at, { body: { name } })).toMatchObject({ status: 422 });
  expect(await refused("POST", at, { body: { name: "code", path: "/etc" } })).toMatchObject({ status: 422 });
  expect(await refused("POST", at, { body: { name: "etc" } })).toMatchObject({ status: 404, error_code: "not_found" });
  expect(await refused("POST", `${at}/nothing:index`)).toMatchObject({ status: 404 });
});

test("a tar is a workspace with the digest of the folder, and what is no tar is refused", async () => {
  await post(at, { name: "code" });
  await post(`${at}/code:index`, undefined);
  await expect.poll(async () => (await get(`${at}/code`)).json.state, { timeout: 10_000 }).toBe("ready");
  const { snapshot_sha256 } = (await get(`${at}/code`)).json;
  const sent = await put("sent", await tarOf("one.txt", "one\n"));
  expect(sent).toMatchObject({ status: 200, json: { kind: "tar", state: "ready", files: 1, snapshot_sha256 } });
  const broken = await put("sent", Buffer.alloc(3_000, "x"));
  expect(broken).toMatchObject({ status: 422, json: { detail: { error_code: "workspace_refused" } } });
  expect((await get(`${at}/sent`)).json).toMatchObject({ state: "failed", snapshot_sha256 });
});
