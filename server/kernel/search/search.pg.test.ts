// The search language on real rows: each field finds its rows and no others, in this project and no other.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
/** Ids without their prefix, oldest last. */
const found = async (q: string, kind: QueryKind): Promise<string> => {
  const { groups } = await ask(q, kind);
  const items = groups.flatMap(
    (group): Partial<Record<"card_id" | "agent_turn_id" | "box_id" | "id", string>>[] => group.items,
  );
  return items
    .map((item) =>
      (item.card_id ?? item.agent_turn_id ?? item.box_id ?? item.id ?? "").replace(/^a_|^[0-9a-f]{60}/, ""),
    )
    .join(" ");
};

describe("cards", () => {
  test.each([
    ["", "fresh gone c5 c3 c2 c1 c4"],
    ["energy", "c5 c1"],
    ["ENERGY day", "c1"],
    ["energy -day", "c5"],
    ["batter*", "c1"],
    ["batter", ""],
    ["gravity", "fresh"],
    ["gravity OR download", "fresh c3"],
    ['"store energy"', "c1"],
    ['"energy store"', ""],
    ['"energy for 100% of"', "c1"],
    ['"zinc \\"flow\\" price"', "c2"],
    ["iron-air", "c1"],
    ["a_c3", "c3"],
    ["a_c3 -energy", "c3"],
    ["type:tool.call", "c2"],
    ["type:tool.*", "c3 c2"],
    ["type:tool.call,agent.thought", "fresh c2"],
    ["type:!=task.context", "fresh c3 c2 c1"],
    ["role:system", "c5"],
    ["author:a_iron", "c2"],
    ["author:A_IRON", "c2"],
    ["-has:author", "fresh gone c5 c4"],
    ["has:author", "c3 c2 c1"],
    ["agent:a_iron", "c3 c2"],
    ['agent:"iron ann"', "c3 c2"],
    ["profile:zinc", "fresh"],
    ["has:profile", "fresh c3 c2"],
    ["tool:web_search", "c3 c2"],
    ["has:tool -type:tool.result", "c2"],
    ["tokens:>1k", "c2"],
    ["tokens:[7 TO 9]", "gone c5 c4"],
    ["tokens:10,20", "fresh c1"],
    ["tokens:!=10,20", "gone c5 c3 c2 c4"],
    ["tokens:<=7", "c4"],
    ["run:7", "c3 c2"],
    ["run:a_t9", "fresh"],
    ["run:z_t9", ""],
    ["in:a_plain", "c3"],
    ["in:a_t2", "fresh gone c5 c2 c1 c4"],
    ["in:1a01 tokens:>1k", "c2"],
    ["in:1A01 energy", "c5 c1"],
    ["-in:a_t2", "c3"],
    ["origin:redacted", "c4"],
    ["origin:argument", "c3 c1"],
    ["origin:inherited", "fresh c4"],
    ["origin:pointer", "gone"],
    ["origin:output", "c2"],
    ["origin:import", "c5"],
    ["before:1d", "c4"],
    ["after:1h", "fresh"],
    ["before:8h after:570m", "c3 c2"],
    ["kind:card energy", "c5 c1"],
    ["kind:turn energy", ""],
    ["(type:tool.call OR energy) -role:system", "c2 c1"],
    ["-(energy OR type:tool.*)", "fresh gone c4"],
  ])("%s", async (q, ids) => expect(await found(q, "card")).toBe(ids));
});

describe("turns", () => {
  test.each([
    ["", "t9 t4 t3 t2 t1"],
    ["iron", "t4 t2"],
    ["1a01", "t2"],
    ['"cost of iron"', "t2"],
    ['"iron of cost"', ""],
    ["a_t3", "t3"],
    ["type:tool.call", "t2"],
    ["role:assistant", "t9 t2"],
    ["author:web_search", "t2"],
    ["tool:web*", "t2"],
    ["-has:tool", "t9 t4 t3 t1"],
    ["agent:a_zinc", "t9 t3"],
    ['agent:"Iron A"*', "t4 t2"],
    ["profile:Zi*", "t9 t3"],
    ["tokens:1500", "t2"],
    ["cards:6", "t2"],
    ["cost:>0.1", "t2"],
    ["-has:cost", "t9 t4 t1"],
    ["depth:>=2", "t4 t3"],
    ["steps:3", "t2"],
    ["attempt:2", "t2"],
    ["duration:>30m", "t2"],
    ["duration:[1s TO 2m]", "t4 t3"],
    ["status:failed", "t2"],
    ["status:!=failed,success", "t9 t4"],
    ["primitive:fork_join", "t3"],
    ["strategy:clone", "t4"],
    ["target:own*", "t3"],
    ["run:7 status:success", "t3 t1"],
    ["run:8", "t9"],
    ["headcode:2*", "t4 t3"],
    ["headcode:1a01", "t2"],
    ["batch:a_b1", "t4 t3 t2"],
    ["-has:batch", "t9 t1"],
    ["error:tool_timeout", "t2"],
    ["has:error", "t2"],
    ["saw:a_c1", "t2"],
    ["saw:a_c4", ""],
    ["saw:z_c1", ""],
    ["wrote:a_c2", "t2"],
    ["held:a_c4", "t9 t4 t3 t2"],
    ["held:a_c5", "t2"],
    ["held:a_c3", ""],
    ["under:a_t2", "t4 t3 t2"],
    ["under:1a01 -under:a_t4", "t3 t2"],
    ["above:a_t3", "t3 t2 t1"],
    ["above:a_t3 OR run:8", "t9 t3 t2 t1"],
    ["before:200m", "t2 t1"],
    ["after:90m", "t9"],
    ["is:failed", "t2"],
    ["is:running", "t4"],
    ["is:waiting", "t9"],
    ["is:slow", "t2"],
    ["is:retried", "t2"],
    ["is:forked", "t3"],
    ["is:inferred", "t9"],
  ])("%s", async (q, ids) => expect(await found(q, "turn")).toBe(ids));
});

describe("boxes and what has a name", () => {
  test.each<[QueryKind, string, string]>([
    ["box", "", "plain out3 ctx3 out2 ctx2 ctx1"],
    ["box", "request", "req2"],
    ["box", "a_req2", "req2"],
    ["box", "req2", "req2"],
    ["box", "tokens:>1k", "ctx2"],
    ["box", "cards:2", "out2"],
    ["box", "zinc", "out3 ctx3"],
    ["box", "iron output", "out2"],
    ["box", "before:5d after:8d", "ctx2 out2 ctx3".split(" ").reverse().join(" ")],
    ["run", "storage", "t1"],
    ["run", "run:8", "t9"],
    ["agent", "ann", "iron"],
    ["agent", "profile:zinc", "zinc"],
    ["agent", "target:own*", "zinc"],
    ["profile", "batteries", "pbox"],
    ["profile", "profile:i*", "pbox"],
    ["batch", "run:7", "b1"],
    ["batch", "batch:a_b1 running", "b1"],
    ["batch", "batch:z_b1", ""],
    ["pack", "battery", "8adc"],
    ["pack", '"choose a"', "8adc"],
    ["pack", "before:1h", ""],
  ])("%s: %s", async (kind, q, ids) => expect(await found(q, kind)).toBe(ids));
});

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
    ["is:alarm", "turn", 'q: column 1: "is:alarm" has no answer yet'],
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
  expect(await found("a_c1 OR energy", "card")).toBe("c5 c1");
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
    { value: "7", filter: "run:7", count: 2 },
    { value: "8", filter: "run:8", count: 1 },
  ]);
  for (const { values } of facets?.fields ?? [])
    for (const { filter, count } of values)
      expect([filter, (await ask(`-role:system ${filter}`, "card")).groups[0]?.items.length]).toEqual([filter, count]);
  const turns = (await ask("run:7", "turn", { facets: true })).groups[0]?.facets;
  expect(turns?.fields.map(({ field }) => field)).toEqual(["agent", "profile", "run", "status", "tokens"]);
});

const hostile = [
  "'",
  "a'b",
  "'; drop table cards; --",
  "%",
  "_",
  "100%",
  "a%' OR '1'='1",
  "\\",
  "a\\'b*",
  "a&b|c!d:*",
  "<->",
  "a <-> b",
  '"a\' & b"',
  "(((",
  ")",
  "-",
  '"',
  "tokens:99999999999999999999",
  "tokens:[1 TO",
  "before:9999-12-31",
  "after:0001-01-01",
  "before:99999999w",
  "run:99999999999999",
  "saw:'x'",
  'author:"\'; select 1"',
  "author:%*",
  "error:_*",
  "ßßß ﷽ 漢字 𝒳𝒴 e\u0301",
  "漢".repeat(256),
  "\ufffdx",
  "x\0y",
  "x ".repeat(64),
  Array.from({ length: 64 }, (_, i) => `w${i}`).join(" OR "),
  Array.from({ length: 32 }, (_, i) => `"p${i} q"`).join(" "),
  `${"(".repeat(16)}x${")".repeat(16)}`,
  "x ".repeat(65),
  "x".repeat(2_000),
  "z_c1",
  "z_t2 OR z_ctx2",
  "in:z_ctx2,z_t2",
  "under:z_t1 OR above:z_t3 OR held:z_c4",
  "-a_c1",
];

test.each(hostile)("never fails and never crosses: %s", async (q) => {
  for (const kind of ["", "&kind=card&facets=true", "&kind=turn&facets=true", "&kind=box"]) {
    const { status, json } = await send("GET", `/projects/p1/search?q=${encodeURIComponent(q)}${kind}`);
    expect([200, 400], JSON.stringify(json)).toContain(status);
    if (status === 200) expect(JSON.stringify(json.groups)).not.toMatch(/"z_/);
  }
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
