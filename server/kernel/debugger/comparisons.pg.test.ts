// Comparing contexts over REST: two boxes, page by page and by verdict, partners, and prefixes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCaller } from "@/server/api/root";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Hand" }]);
  await seedProject(kernel, "p2");
});
afterAll(() => kernel.close());
const { ok, get, refused } = restOf(() => kernel);

const words = "we meet at the old bridge at nine and walk to the station from there";
const boxOf = async (cards: { card_id: string; content: string }[]): Promise<string> => {
  const given = cards.map((card) => ({ ...card, type: "agent.note", author_id: "ann" }));
  return (await ok("POST", "/projects/p1/boxes", { cards: given })).box_id;
};

test("two boxes: rows, totals, one verdict, a page, and the same for the browser", async () => {
  const a = await boxOf([
    { card_id: "a1", content: "stays" },
    { card_id: "a2", content: words },
    { card_id: "a3", content: "goes" },
  ]);
  const { box_id: b } = await ok("POST", "/projects/p1/boxes", { card_ids: ["a1"] });
  const c = await boxOf([{ card_id: "c2", content: words.replace("nine", "ten") }]);
  const found = await ok("GET", `/projects/p1/boxes/${a}/diff/${b}`);
  expect(found.rows.map((row: { verdict: string }) => row.verdict)).toEqual(["same", "removed", "removed"]);
  expect(found.verdicts.removed).toMatchObject({ cards: 2, a: { cards: 2 }, b: { cards: 0 } });
  const page = await ok("GET", `/projects/p1/boxes/${a}/diff/${b}?verdict=removed&from=1&limit=1`);
  expect(page).toMatchObject({ rows_total: 2, from: 1, rows: [{ a: { card_id: "a3", at: 2 } }] });
  const rewritten = await ok("GET", `/projects/p1/boxes/${a}/diff/${c}?verdict=rewritten`);
  expect(rewritten.rows).toMatchObject([{ paired_by: "alike", change: { how: "words" } }]);
  const caller = createCaller({ kernel, user: "ann" });
  expect(await caller.debugger.diff({ project_id: "p1", a, b })).toEqual(found);
  expect(await caller.debugger.partners({ project_id: "p1", box_id: a })).toEqual(
    await ok("GET", `/projects/p1/boxes/${a}/partners`),
  );
});

test("what is unknown, of another project, or not a number is refused with the field and the remedy", async () => {
  const box = await boxOf([{ card_id: "x1", content: "x" }]);
  for (const path of [
    `/projects/p1/boxes/${box}/diff/nothing`,
    `/projects/p2/boxes/${box}/diff/${box}`,
    `/projects/p2/boxes/${box}/partners`,
    "/projects/p1/steps/nothing/diff/nothing",
    "/projects/p1/agents/nobody/prefix",
    "/projects/p1/batches/nothing/prefix",
  ])
    expect(await refused("GET", path), path).toMatchObject({ status: 404, error_code: "not_found" });
  const { error_message } = await refused("GET", `/projects/p1/boxes/${box}/diff/${box}?verdict=gone`);
  expect(error_message).toMatch(/^query.verdict: expected/);
  for (const query of ["limit=0", "limit=1001", "from=-1", "from=1e99", "colour=red"])
    expect((await get(`/projects/p1/boxes/${box}/diff/${box}?${query}`)).status, query).toBe(400);
});

test("an agent that has sent nothing has no requests to compare", async () => {
  const { agent_id } = await ok("POST", "/projects/p1/agents", { agent_id: "quiet", profile_name: "Hand" });
  expect(await ok("GET", `/projects/p1/agents/${agent_id}/prefix`)).toMatchObject({
    ...{ requests: [], total: 0, rules: [] },
    totals: { input_tokens: 0, predicted_cached: 0, reported_cached: 0 },
  });
});
