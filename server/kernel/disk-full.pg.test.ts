// A full disk: Postgres answers reads and refuses writes with 53100. The server really sends that error here; only its cause
// is simulated.
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const { get, post } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "full");
  await kernel.test.pool.query(`
    CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER no_space BEFORE INSERT ON cards FOR EACH STATEMENT EXECUTE FUNCTION no_space()`);
});
afterAll(() => kernel.close());

test("is named by the refusal and by the health page, and reads are answered", async () => {
  expect((await get("/health")).json.database.status).toBe("ok");
  const before = await countRows(kernel);
  const { status, json } = await post("/projects/full/cards", { cards: [{ type: "sys.note", content: "one" }] });
  expect(status).toBe(503);
  expect(json.detail).toMatchObject({
    error_code: "storage_error",
    error_message: expect.stringMatching(/disk of the database is full.*Free some space/),
    detail: { reason: "disk_full" },
  });
  expect(await countRows(kernel)).toEqual(before);
  expect((await get("/projects/full/cards")).status).toBe(200);
  const health = await get("/health");
  expect([health.status, health.json.status, health.json.database.status]).toEqual([200, "degraded", "full"]);
  expect(health.json.database.error).toMatch(/disk of the database is full/);
});
