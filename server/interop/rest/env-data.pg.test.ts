// Environment data as a program reads and writes it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
let path: string;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Boss" }]);
  await seedProject(kernel, "p2");
  path = `/projects/p1/env/${(await callersOf(() => kernel, "p1").launched("Boss")).root}`;
});
afterAll(() => kernel.close());

const { ok, refused, send } = restOf(() => kernel);

test("put, list without values, get, delete", async () => {
  expect(await ok("GET", path)).toEqual({ items: [] });
  const put = await ok("PUT", `${path}/task`, { short_description: "the task", value: false });
  expect(put).toMatchObject({ key: "task", short_description: "the task", value: false, stored_by: "human_local" });
  await ok("PUT", `${path}/${encodeURIComponent("find/ings")}`, { short_description: "", value: [1] });
  const { items } = await ok("GET", path);
  expect(items.map((item: { key: string }) => item.key)).toEqual(["find/ings", "task"]);
  for (const item of items) expect(item).not.toHaveProperty("value");
  expect(await ok("GET", `${path}/find%2Fings`)).toMatchObject({ key: "find/ings", value: [1] });
  expect((await send("DELETE", `${path}/task`)).status).toBe(204);
  expect(await refused("GET", `${path}/task`)).toMatchObject({ status: 404, error_code: "not_found" });
});

test("what is refused, and leaves nothing", async () => {
  const put = (body: unknown, at = `${path}/k`) => refused("PUT", at, { body });
  expect(await put({ short_description: "d", value: null })).toMatchObject({ status: 400, error_code: "bad_request" });
  expect(await put({ short_description: "d" })).toMatchObject({ status: 422, detail: { path: "body.value" } });
  expect(await put({ value: 1 })).toMatchObject({ status: 422, detail: { path: "body.short_description" } });
  expect(await put({ short_description: "d", value: 1, key: "x" })).toMatchObject({ status: 422 });
  expect(await put({ short_description: "d", value: "x".repeat(102_400) })).toMatchObject({
    status: 413,
    error_code: "payload_too_large",
  });
  expect(await put({ short_description: "d", value: 1 }, "/projects/p1/env/turn_gone/k")).toMatchObject({
    status: 404,
  });
  expect(await put({ short_description: "d", value: 1 }, `${path.replace("p1", "p2")}/k`)).toMatchObject({
    status: 404,
  });
  expect(await put({ short_description: "d", value: 1 }, `${path}/${"k".repeat(201)}`)).toMatchObject({ status: 400 });
  expect(await refused("GET", "/projects/p1/env/turn_gone")).toMatchObject({ status: 404 });
  expect(await refused("DELETE", `${path}/gone`)).toMatchObject({ status: 404 });
});

test("an Idempotency-Key makes a write once", async () => {
  const once = { body: { short_description: "d", value: 1 }, headers: { "idempotency-key": "one" } };
  const first = await send("PUT", `${path}/k`, once);
  await ok("PUT", `${path}/k`, { short_description: "d", value: 2 });
  expect(await send("PUT", `${path}/k`, once)).toEqual(first);
  expect(await ok("GET", `${path}/k`)).toMatchObject({ value: 2 });
});
