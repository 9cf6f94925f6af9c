// K3: cards never change, whoever tries to; and what a tombstone keeps.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KernelError } from "@/server/contract/errors";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { deleteCard } from "../artifacts/delete-card";
import { withUnit } from "../unit";
import { createBoxes } from "./create-boxes";
import type { AuthoredCard } from "./draft-card";
import { batchCards, findItems, getCard, getCards } from "./get-cards";
import { insertCards } from "./insert-cards";

let kernel: TestKernel;
const project_id = "proj_1";
const insert = (cards: AuthoredCard[], more: object = {}) =>
  withUnit(kernel, (unit) => insertCards(unit, { project_id, cards, ...more }));
const refusal = (work: Promise<unknown>): Promise<KernelError> =>
  work.then(
    () => expect.fail("not refused"),
    (e) => e,
  );
const text = (card_id: string | undefined, content: string): AuthoredCard => ({
  card_id,
  type: "task.instruction",
  content,
  author_id: "me",
});

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id);
  await seedProject(kernel, "other");
});
afterAll(() => kernel.close());

describe("K3", () => {
  test("defaults: id, role of the type, hash, tokens, and type, role and author in the metadata", async () => {
    const [card] = await insert([{ type: "agent.thought", content: "hello world", author_id: "a1" }], {
      metadata: { trace_id: "t1" },
    });
    expect(card).toMatchObject({ role: "assistant", content: { kind: "text", text: "hello world" }, token_count: 2 });
    expect(card?.metadata).toEqual({ trace_id: "t1", type: "agent.thought", role: "assistant", author_id: "a1" });
    expect(card?.content_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await getCard(kernel, { project_id, card_id: card?.card_id ?? "" })).toEqual(card);
  });
  test("the same id with the same content is a replay and answers the stored card", async () => {
    const [first] = await insert([text("k3_a", "x")]);
    const before = await countRows(kernel);
    const [again] = await insert([{ ...text("k3_a", "x"), metadata: { note: "not part of the content" } }]);
    expect(again).toEqual(first);
    expect(await countRows(kernel)).toEqual(before);
  });
  test.each([
    ["text", text("k3_b", "y")],
    ["type", { ...text("k3_b", "x"), type: "task.context" }],
    ["role", { ...text("k3_b", "x"), role: "system" as const }],
    ["tool_call_id", { ...text("k3_b", "x"), tool_call_id: "tc_1" }],
    ["tool_calls", { ...text("k3_b", "x"), tool_calls: [{ id: "1" }] }],
  ])(
    "the same id with another %s is a conflict naming the id, and nothing of the batch is written",
    async (_, other) => {
      await insert([text("k3_b", "x")]);
      const before = await countRows(kernel);
      const error = await refusal(insert([text(undefined, "fresh"), other]));
      expect(error).toMatchObject({ code: "conflict", detail: { card_id: "k3_b" } });
      expect(error.message).toContain("k3_b");
      expect(await countRows(kernel)).toEqual(before);
    },
  );
  test("key order of JSON is not content", async () => {
    const json = (data: Record<string, number>) => ({ ...text("k3_c", ""), content: { kind: "json" as const, data } });
    const [a] = await insert([json({ a: 1, b: 2 })]);
    expect((await insert([json({ b: 2, a: 1 })]))[0]?.content_hash).toBe(a?.content_hash);
  });
  test("twice in one batch: equal content is one card, different content a conflict", async () => {
    const cards = await insert([text("k3_d", "x"), text("k3_e", "y"), text("k3_d", "x")]);
    expect(cards.map((c) => c.card_id)).toEqual(["k3_d", "k3_e", "k3_d"]);
    expect((await refusal(insert([text("k3_f", "x"), text("k3_f", "z")]))).code).toBe("conflict");
  });
  test("two at once with the same id: one writes, both return the same card", async () => {
    const [[a], [b]] = await Promise.all([insert([text("k3_g", "x")]), insert([text("k3_g", "x")])]);
    expect(a).toEqual(b);
  });
  test("only deleted_at and expires_at can be updated", async () => {
    await insert([text("k3_h", "x")]);
    const change = (set: string) =>
      kernel.db.pool.query(`UPDATE cards SET ${set} WHERE tenant_id = $1 AND card_id = 'k3_h'`, [project_id]);
    for (const set of ["content = '{}'", "metadata = metadata || '{\"x\":1}'", "token_count = 0", "card_id = 'z'"])
      await expect(change(set)).rejects.toThrow("cards never change");
    await change("expires_at = now() + interval '1 day'");
  });
  test("a call has one result; the second, under another id, is a conflict and breaks nothing", async () => {
    const result = (card_id: string): AuthoredCard => ({
      card_id,
      type: "tool.result",
      author_id: "t",
      tool_call_id: "tc_one",
      content: { kind: "tool_result", status: "success", result: 1 },
    });
    await insert([result("r1")]);
    const error = await refusal(
      withUnit(kernel, async (unit) => {
        await insertCards(unit, { project_id, cards: [result("r2")] });
      }),
    );
    expect(error).toMatchObject({ code: "conflict", detail: { tool_call_id: "tc_one" } });
  });
  test("the same id may exist in two projects, and a foreign card looks missing (K11)", async () => {
    await insert([text("k11", "here")]);
    const missing = (id: string) =>
      getCard(kernel, { project_id: "other", card_id: id }).catch((e) => `${e.code}: ${e.message.replace(id, "*")}`);
    expect(await missing("k11")).toBe(await missing("nowhere"));
    await withUnit(kernel, (unit) => insertCards(unit, { project_id: "other", cards: [text("k11", "there")] }));
    expect((await getCard(kernel, { project_id, card_id: "k11" })).content).toEqual({ kind: "text", text: "here" });
  });
});

describe("text that no database can store", () => {
  test("a client's is refused with its path", async () => {
    const error = await refusal(insert([text(undefined, "ok"), text(undefined, "a\u0000b")]));
    expect(error).toMatchObject({ code: "bad_request" });
    expect(error.message).toContain("cards.1.content.text");
  });
  test("a model's is repaired and noted", async () => {
    const [card] = await insert([text(undefined, "a\u0000b\ud800")], { bad_text: "mend" });
    expect(card).toMatchObject({ content: { text: "a\ufffdb\ufffd" }, metadata: { mended_text: true } });
  });
  test("endlessly nested content is refused", async () => {
    let data: unknown = 1;
    for (let i = 0; i < 50_000; i++) data = [data];
    const error = await refusal(insert([{ ...text(undefined, ""), content: { kind: "json", data: data as never } }]));
    expect(error).toMatchObject({ code: "bad_request" });
  });
});

describe("reading", () => {
  test("input order and repeats are kept, missing and empty ids skipped", async () => {
    await insert([text("g1", "1"), text("g2", "2")]);
    const ids = ["g2", "", "nope", "g1", null, "g2", "a\u0000b"];
    expect((await getCards(kernel, { project_id, card_ids: ids })).map((c) => c.card_id)).toEqual(["g2", "g1", "g2"]);
  });
  test("147 batch: each once, missing named, 100 different ids are the limit", async () => {
    await insert([text("c1", "1"), text("c2", "2")]);
    const batch = (card_ids: string[]) => batchCards(kernel, { project_id, card_ids });
    const { cards, missing_ids } = await batch(["c1", "c1", "c2", "missing", "missing"]);
    expect([cards.map((c) => c.card_id), missing_ids]).toEqual([["c1", "c2"], ["missing"]]);
    expect(await batch([])).toEqual({ cards: [], missing_ids: [] });
    const many = Array.from({ length: 101 }, (_, i) => `m${i}`);
    expect(await refusal(batch(many))).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("card_ids exceeds limit 100"),
    });
    expect((await batch(many.slice(1))).missing_ids).toHaveLength(100);
    expect((await batch([...many.slice(1), ...many.slice(1, 51)])).missing_ids).toHaveLength(100);
  });
  test("items of missing cards are not_found, all of them named", async () => {
    const error = await refusal(
      findItems(kernel, { project_id, card_ids: ["c1", "no1", "no2", "no1"], origin: "given" }),
    );
    expect(error).toMatchObject({ code: "not_found", detail: { missing_ids: ["no1", "no2"] } });
  });
});

describe("tombstones", () => {
  test("a deleted card keeps id, type, author and weight, and loses its content and the rest of its metadata", async () => {
    const [card] = await insert([
      { ...text("del", "secret words"), tool_calls: [{ id: "x" }], metadata: { note: "secret" } },
    ]);
    const gone = await withUnit(kernel, (unit) => deleteCard(unit, { project_id, card_id: "del", by: "human_local" }));
    expect(gone).toMatchObject({
      gone: "deleted",
      content: null,
      type: "task.instruction",
      author_id: "me",
      token_count: card?.token_count,
    });
    expect(JSON.stringify(gone)).not.toContain("secret");
    expect(gone.tool_calls).toBeUndefined();
    expect(
      await withUnit(kernel, (unit) => deleteCard(unit, { project_id, card_id: "del", by: "human_local" })),
    ).toEqual(gone);
    expect(
      await refusal(
        withUnit(kernel, (unit) => deleteCard(unit, { project_id: "other", card_id: "del", by: "human_local" })),
      ),
    ).toMatchObject({ code: "not_found" });
  });
  test("the card of a profile is kept, since agents depend on it", async () => {
    const project_id = "with_profile";
    await seedProject(kernel, project_id, [{ name: "Keeper" }]);
    const { rows } = await kernel.db.pool.query<{ card_id: string }>(
      "SELECT card_id FROM cards WHERE tenant_id = $1 AND metadata ->> 'type' = 'sys.profile'",
      [project_id],
    );
    const card_id = rows[0]?.card_id ?? "";
    const before = await countRows(kernel);
    const error = await refusal(
      withUnit(kernel, (unit) => deleteCard(unit, { project_id, card_id, by: "human_local" })),
    );
    expect(error).toMatchObject({ code: "conflict", message: expect.stringContaining("delete the profile") });
    expect(await countRows(kernel)).toEqual(before);
    expect((await getCard(kernel, { project_id, card_id })).gone).toBeUndefined();
  });
  test("deleting takes two statements, however many boxes hold the card", async () => {
    const [card] = await insert([text("held", "in many boxes")]);
    const statements = (card_id: string) =>
      withUnit(kernel, async (unit) => {
        await deleteCard(unit, { project_id, card_id, by: "human_local" });
        return unit.statements();
      });
    const boxes = Array.from({ length: 200 }, () => ({
      kind: "plain" as const,
      items: card ? [{ ...card, origin: "given" as const }] : [],
    }));
    await withUnit(kernel, (unit) => createBoxes(unit, { project_id, boxes }));
    await insert([text("loose", "in no box")]);
    expect([await statements("loose"), await statements("held")]).toEqual([2, 2]);
  });
  test("a card past its expiry reads as expired", async () => {
    await insert([{ ...text("ttl", "soon gone"), ttl_seconds: 3600 }]);
    expect((await getCard(kernel, { project_id, card_id: "ttl" })).gone).toBeUndefined();
    await kernel.db.pool.query("UPDATE cards SET expires_at = now() - interval '1 s' WHERE card_id = 'ttl'");
    expect(await getCard(kernel, { project_id, card_id: "ttl" })).toMatchObject({ gone: "expired", content: null });
  });
});

test("one statement for one card and for a thousand", async () => {
  const count = (n: number) =>
    withUnit(kernel, async (unit) => {
      await insertCards(unit, { project_id, cards: Array.from({ length: n }, (_, i) => text(undefined, `card ${i}`)) });
      return unit.statements();
    });
  expect([await count(1), await count(1_000)]).toEqual([1, 1]);
});
