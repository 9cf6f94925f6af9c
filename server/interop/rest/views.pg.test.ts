// Saved views: saved, replaced, refused and deleted, each in its own project.
import { afterAll, beforeAll, expect, test } from "vitest";
import { VIEWS_MAX } from "@/server/contract/saved-view";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const { ok, post, refused } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1");
  await seedProject(kernel, "p2");
});
afterAll(() => kernel.close());

const at = (name = "") => `/projects/p1/views${name}`;
const view = { name: "Failures", page: "yard", query: "is:failed" };

test("a view is saved, replaced under its name, listed by name, and deleted", async () => {
  expect(await ok("POST", at(), { ...view, user: "ann" })).toMatchObject({ ...view, saved_by: "ann" });
  expect(await ok("POST", at(), { name: " big cards ", page: "cards", query: "tokens:>1k" })).toMatchObject({
    name: "big cards",
    saved_by: "local",
  });
  const again = { ...view, page: "search", query: "is:failed OR is:slow" };
  expect(await ok("POST", at(), { ...again, user: "bob" })).toMatchObject({ ...again, saved_by: "bob" });
  const { items } = (await ok("GET", at())) as { items: { name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(["big cards", "Failures"]);
  await ok("DELETE", at("/Failures"));
  expect(await ok("GET", at())).toMatchObject({ items: [{ name: "big cards" }] });
});

test("a view of runs keeps status, order and columns, and does without a query; no other page has them", async () => {
  const runs = { name: "Dear runs", page: "runs", query: "", list: { sort: "-cost", columns: ["status", "cost"] } };
  expect(await ok("POST", at(), runs)).toMatchObject(runs);
  expect((await ok("GET", at())).items).toContainEqual(expect.objectContaining(runs));
  expect(await ok("POST", at(), { ...runs, query: "iron", list: undefined })).not.toHaveProperty("list");
  for (const [given, field] of [
    [{ ...runs, page: "cards", query: "x" }, "list"],
    [{ ...runs, list: undefined }, "query"],
    [{ ...runs, list: { sort: "colour" } }, "list.sort"],
    [{ ...runs, list: { columns: ["colour"] } }, "list.columns"],
    [{ ...view, query: " " }, "query"],
  ] as const)
    expect((await refused("POST", at(), { body: given })).error_message).toContain(field);
  await ok("DELETE", at("/Dear%20runs"));
});

test("a query that cannot be read is refused with its column, and other bad input with its field", async () => {
  expect(await refused("POST", at(), { body: { ...view, query: "status:failed autor:x" } })).toMatchObject({
    status: 400,
    error_message: expect.stringContaining('query: column 15: unknown field "autor"'),
  });
  for (const [given, field] of [
    [{ ...view, page: "turns" }, "page"],
    [{ ...view, name: "  " }, "name"],
    [{ ...view, name: "x".repeat(81) }, "name"],
    [{ ...view, query: "x".repeat(1_001) }, "query"],
    [{ ...view, columns: [] }, "columns"],
  ] as const)
    expect((await refused("POST", at(), { body: given })).error_message).toContain(field);
});

test("a name that cannot stand in the address of its deletion is refused, and so is text that cannot be stored", async () => {
  for (const name of ["..", " . "])
    expect(await refused("POST", at(), { body: { ...view, name } })).toMatchObject({
      status: 400,
      error_message: expect.stringMatching(/^name: .*choose another name/),
    });
  for (const [given, field] of [
    [{ ...view, name: "a\ud800" }, "name"],
    [{ ...view, query: "half\ud800 a pair" }, "query"],
  ] as const)
    expect(await refused("POST", at(), { body: given })).toMatchObject({
      status: 400,
      error_message: expect.stringMatching(new RegExp(`^${field} contains a NUL byte or half a surrogate pair`)),
    });
  expect(await refused("DELETE", at("/a%00b"))).toMatchObject({
    status: 400,
    error_message: expect.stringMatching(/^name contains a NUL byte/),
  });
  await ok("POST", at(), { ...view, name: "a/b: c?%#" });
  await ok("DELETE", at(`/${encodeURIComponent("a/b: c?%#")}`));
});

test("a name that nobody can see is refused; signs that join or turn letters do no harm", async () => {
  for (const name of [
    "\u200b",
    "\u2060\u00a0\u200e",
    "\u202e\u2066\u2069",
    "\u0007",
    "\u3164",
    "\u2800",
    "\ufe0f",
    "\u{e0041}",
  ])
    expect(await refused("POST", at(), { body: { ...view, name } })).toMatchObject({
      status: 422,
      error_message: expect.stringMatching(
        /name: has no character that can be seen; write a name that people can read/,
      ),
    });
  for (const name of ["❤️", "👨\u200d👩\u200d👧", "می\u200cخواهم", "\u200fשלום"]) {
    await ok("POST", at(), { ...view, name });
    await ok("DELETE", at(`/${encodeURIComponent(name)}`));
  }
});

test("a view of another project looks missing, and an unknown project is not found", async () => {
  await ok("POST", at(), view);
  expect(await ok("GET", "/projects/p2/views")).toEqual({ items: [] });
  expect(await refused("DELETE", "/projects/p2/views/Failures")).toMatchObject({ status: 404 });
  expect(await refused("GET", "/projects/none/views")).toMatchObject({ status: 404 });
  expect(await refused("POST", "/projects/none/views", { body: view })).toMatchObject({ status: 404 });
});

test("there is room for so many; one that is there is still replaced", async () => {
  await kernel.db.pool.query(
    `INSERT INTO resource.saved_views (project_id, name, page, query, saved_by)
     SELECT 'p2', 'v' || n, 'search', 'x', 'ann' FROM generate_series(1, ${VIEWS_MAX}) n`,
  );
  const full = await refused("POST", "/projects/p2/views", { body: view });
  expect(full).toMatchObject({ status: 409, error_message: expect.stringContaining("delete one that nobody uses") });
  expect(await ok("POST", "/projects/p2/views", { ...view, name: "v7" })).toMatchObject({ query: "is:failed" });
});

test("views that are saved at once do not go past the limit together", async () => {
  await ok("DELETE", "/projects/p2/views/v1");
  const tried = await Promise.all(
    Array.from({ length: 12 }, (_, n) => post("/projects/p2/views", { ...view, name: `new ${n}` })),
  );
  expect(tried.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await ok("GET", "/projects/p2/views")).items).toHaveLength(VIEWS_MAX);
});
