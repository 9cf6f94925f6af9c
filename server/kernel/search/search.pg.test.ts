// A search as it is asked over REST: kinds, refusals, pages, facets.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryKind } from "@/server/contract/search-query/fields";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { seedSearch } from "@/server/testing/search-rows";
import { countStatements } from "@/server/testing/statements";
import { search } from "./search";

let kernel: TestKernel;
const { send } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedSearch(kernel.db.pool, "p1", "a");
  await seedSearch(kernel.db.pool, "p2", "z");
});
afterAll(() => kernel.close());

const ask = (q: string, kind?: QueryKind, more: { limit?: number; cursor?: string; facets?: boolean } = {}) =>
  search(kernel, { project_id: "p1", q, kind, limit: 20, facets: false, ...more });
test("without a kind, all kinds that have what is asked are searched, and the others are named", async () => {
  const answer = await ask("tokens:>1k");
  expect(answer.groups.map(({ kind, items }) => [kind, items.length])).toEqual([
    ["card", 1],
    ["box", 1],
    ["turn", 1],
  ]);
  expect(answer.skipped.map(({ kind }) => kind)).toEqual(["run", "agent", "profile", "batch", "pack"]);
  expect((await ask("kind:card energy")).groups.map(({ kind }) => kind)).toEqual(["card"]);
  expect((await ask("energy")).query).toBe("energy");
});

test("a query that cannot be read is refused with its column", async () => {
  for (const [q, kind, said] of [
    ["status:failed autor:x", undefined, 'q: column 15: unknown field "autor"; did you mean "author"?'],
    ["energy status:failed", "card", 'q: column 8: "status" does not apply to cards, only to turns'],
    ["is:alarm", "profile", 'q: column 1: "is:alarm" does not apply to profiles, only to cards'],
    ["depth:1 in:a_plain", undefined, "q: column 1:"],
  ] as const) {
    const { status, json } = await send(
      "GET",
      `/projects/p1/search?q=${encodeURIComponent(q)}${kind ? `&kind=${kind}` : ""}`,
    );
    expect([status, json.detail.error_message]).toEqual([400, expect.stringContaining(said)]);
  }
  await expect(ask("energy", undefined, { cursor: "x" })).rejects.toThrow("cursor: it belongs to the list of one kind");
  await expect(ask("energy", "card", { cursor: "x" })).rejects.toThrow("cursor is malformed");
  await expect(search(kernel, { project_id: "no", q: "", limit: 1, facets: false })).rejects.toThrow("not found");
});

test("pages follow each other without gaps or repeats, the named hit first", async () => {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const { groups } = await ask("-type:x", "card", { limit: 2, cursor });
    const [group] = groups;
    if (group?.kind !== "card") throw new Error("no cards");
    pages.push(group.items.map(({ card_id }) => card_id.replace(/^a_|^[0-9a-f]{60}/, "")).join(" "));
    cursor = group.next_cursor;
  } while (cursor !== undefined);
  expect(pages).toEqual(["fresh gone", "c5 c3", "c2 c1", "c4"]);
  const named = await ask("a_c1", "card");
  expect(named.groups[0]?.items).toMatchObject([{ card_id: "a_c1" }]);
});

test("cards that name each other are all listed, also when a page holds fewer than the query names", async () => {
  await kernel.db.pool.query(`
    INSERT INTO projects (project_id, title) VALUES ('named', 'Named');
    INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at) VALUES
      ('named', 'one', '{"kind": "text", "text": "see two"}', '{"type": "x", "role": "user"}', 'h', 1, now() - interval '2 s'),
      ('named', 'two', '{"kind": "text", "text": "see one"}', '{"type": "x", "role": "user"}', 'h', 1, now() - interval '1 s')`);
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const asked = { project_id: "named", q: "one two", kind: "card" as const, limit: 1, facets: false, cursor };
    const [group] = (await search(kernel, asked)).groups;
    if (group?.kind !== "card") throw new Error("no cards");
    listed.push(...group.items.map(({ card_id }) => card_id));
    cursor = group.next_cursor;
  } while (cursor !== undefined);
  expect(listed).toEqual(["two", "one"]);
});

test("a page that did not look at all rows says so, and its cursor goes on with the others", async () => {
  await kernel.db.pool.query(`
    INSERT INTO projects (project_id, title) VALUES ('p3', 'Many');
    INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at)
      SELECT 'p3', 'm_' || i, '{"kind": "text", "text": "hay"}', CASE WHEN i IN (1, 201) THEN '{"type": "x", "role": "user", "redacted_from": "y"}'
        ELSE '{"type": "x", "role": "user"}' END::jsonb, 'h', 1, now() - (1201 - i) * interval '1 minute' FROM generate_series(1, 1200) i`);
  const page = async (cursor?: string) => {
    const asked = { project_id: "p3", q: "origin:redacted", kind: "card" as const, limit: 20, facets: false, cursor };
    const [group] = (await search(kernel, asked)).groups;
    if (group?.kind !== "card") throw new Error("no cards");
    return group;
  };
  const first = await page();
  expect(first).toMatchObject({ items: [{ card_id: "m_201" }], is_partial: true, looked_at: 1_000 });
  const second = await page(first.next_cursor);
  expect(second).toMatchObject({ items: [{ card_id: "m_1" }], is_partial: false });
  expect(second.next_cursor).toBeUndefined();
});

test("what a query names by its id comes first, however old it is", async () => {
  await kernel.db.pool.query(`
    INSERT INTO projects (project_id, title) VALUES ('p4', 'Named');
    INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at) VALUES
      ('p4', 'n_old', '{"kind": "text", "text": "the one"}', '{"type": "x", "role": "user"}', 'h', 1, now() - interval '9 days'),
      ('p4', 'n_1', '{"kind": "text", "text": "about n_old"}', '{"type": "x", "role": "user"}', 'h', 1, now() - interval '2 days'),
      ('p4', 'n_2', '{"kind": "text", "text": "about n_old too"}', '{"type": "x", "role": "user"}', 'h', 1, now() - interval '1 day')`);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const asked = { project_id: "p4", q: "n_old", kind: "card" as const, limit: 1, facets: false, cursor };
    const [group] = (await search(kernel, asked)).groups;
    if (group?.kind !== "card") throw new Error("no cards");
    pages.push(group.items.map(({ card_id }) => card_id));
    cursor = group.next_cursor;
  } while (cursor !== undefined);
  expect(pages).toEqual([["n_old"], ["n_2"], ["n_1"]]);
});

test("a hit shows where it was found", async () => {
  const { groups } = await ask("price", "card");
  expect(groups[0]?.items[0]).toMatchObject({ card_id: "a_c2", title: expect.stringContaining("price") });
  expect((await ask("saw:a_c1", "turn")).groups[0]?.items[0]).toMatchObject({
    headcode: "1A01",
    run_number: 7,
    token_count: 1500,
    error_code: "tool_timeout",
  });
});

test("facets count the hits by the filters that edit the query", async () => {
  const { groups } = await ask("-role:system", "card", { facets: true });
  const { facets } = groups[0] ?? {};
  expect(facets).toMatchObject({ looked_at: 7, is_all: true, hits: 6 });
  const values = Object.fromEntries((facets?.fields ?? []).map(({ field, values }) => [field, values]));
  expect(values.type).toContainEqual({ value: "tool.call", filter: "type:tool.call", count: 1 });
  expect(values.run).toEqual([
    { value: "7", name: "Storage of energy", filter: "run:7", count: 2 },
    { value: "8", name: "Another", filter: "run:8", count: 1 },
  ]);
  for (const { values } of facets?.fields ?? [])
    for (const { filter, count } of values)
      expect([filter, (await ask(`-role:system ${filter}`, "card")).groups[0]?.items.length]).toEqual([filter, count]);
  const turns = (await ask("run:7", "turn", { facets: true })).groups[0]?.facets;
  expect(turns?.fields.map(({ field }) => field)).toEqual(["agent", "profile", "run", "status", "tokens"]);
  // An agent that was given no name has its id alone.
  const agents = turns?.fields.find(({ field }) => field === "agent")?.values ?? [];
  expect(agents).toContainEqual(expect.objectContaining({ value: "a_iron", name: "Iron Ann" }));
});

test("the number of statements does not grow with the query", async () => {
  const count = (q: string) =>
    countStatements(kernel, (counting) =>
      search(counting, { project_id: "p1", q, kind: "card", limit: 20, facets: false }),
    );
  const few = await count("energy");
  expect(await count(Array.from({ length: 60 }, (_, i) => `energy${i}`).join(" OR "))).toBeLessThanOrEqual(few + 1);
  expect(
    await count("in:a_plain in:a_t2 run:7 energy day -x type:a tokens:>1 author:x origin:import"),
  ).toBeLessThanOrEqual(few + 2);
});
