// What Postgres knows about the tables of a young project: only what the watchdog made it count.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { draftCard } from "../cardbox/draft-card";
import { storeCards } from "../cardbox/insert-cards";
import { withUnit } from "../unit";
import { analyzeGrown } from "./analyze-grown";

let kernel: TestKernel;
const P = "grown";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P);
});
afterAll(() => kernel.close());

const storeMany = (count: number) =>
  withUnit(kernel, async (unit) => {
    const content = { kind: "text" as const, text: "a" };
    const card = { type: "agent.message", author_id: "ann", content };
    const drafts = Array.from({ length: count }, () => draftCard(kernel, { project_id: P, card }));
    await storeCards(unit, { project_id: P, drafts });
    await unit.query("stats_flushed", "SELECT pg_stat_force_next_flush()");
  });
const counted = async (): Promise<number> =>
  (await kernel.db.pool.query("SELECT reltuples::int AS n FROM pg_class WHERE oid = 'cards'::regclass")).rows[0].n;

const bounds = async (): Promise<number> => {
  const sql =
    "SELECT cardinality(histogram_bounds::text::text[]) AS n FROM pg_stats WHERE tablename = 'cards' AND attname = 'card_id'";
  return (await kernel.db.pool.query(sql)).rows[0].n;
};

/** The server reports new rows a moment after their commit. */
const untilCounted = (n: number) =>
  vi.waitFor(async () => {
    await analyzeGrown(kernel);
    expect(await counted()).toBe(n);
  }, 5_000);

test("a table that has doubled is counted again, one that has not is left alone", async () => {
  await storeMany(60);
  await untilCounted(60);
  await storeMany(30);
  expect(await analyzeGrown(kernel)).toBe(0);
  await storeMany(40);
  await untilCounted(130);
  expect(await analyzeGrown(kernel)).toBe(0);
});

test("ANALYZE reads a small sample, and no connection keeps the setting", async () => {
  await storeMany(300);
  await vi.waitFor(async () => {
    await analyzeGrown(kernel);
    expect(await counted()).toBe(430);
  }, 5_000);
  expect(await bounds()).toBe(11);
  const { rows } = await kernel.db.pool.query("SHOW default_statistics_target");
  expect(rows).toEqual([{ default_statistics_target: "100" }]);
});
