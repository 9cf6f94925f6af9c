// Blame beside the planted chains: what ends a path, what bounds it, and what is refused. Turns are led by hand, so that each
// card of a request is known.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCaller } from "@/server/api/root";
import { contentText } from "@/server/contract/card";
import { tunables } from "@/server/kernel/tunables";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sentence } from "@/server/testing/planted/sentences";
import { restOf } from "@/server/testing/rest";
import { countStatements } from "@/server/testing/statements";
import { deleteCard } from "../artifacts/delete-card";
import type { AuthoredCard } from "../cardbox/draft-card";
import { insertCards } from "../cardbox/insert-cards";
import { packContext } from "../context/pack-context";
import { appendOutput } from "../turns/append-output";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { withUnit } from "../unit";
import { blame } from "./blame";

const P = "blamed";
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Solo" }]);
  await seedProject(kernel, "other");
});
afterAll(() => kernel.close());
const { running } = callersOf(() => kernel, P);
const { post, refused } = restOf(() => kernel);

const put = async (...cards: AuthoredCard[]) =>
  (await withUnit(kernel, (unit) => insertCards(unit, { project_id: P, cards }))).map(({ card_id }) => card_id);
const note = (content: AuthoredCard["content"], more: Partial<AuthoredCard> = {}): AuthoredCard => ({
  ...{ type: "task.context", author_id: "ann", content },
  ...more,
});

/** A step that is sent `card_ids` and then writes `text`. */
async function step(turn: Running, card_ids: string[], text: string): Promise<string> {
  const request = { card_ids, system: "You are here.", tools: [], tokens: 1, tools_tokens: 0 };
  const begun = await beginStep(kernel, { ...turn, request });
  if (isFenced(begun)) throw new Error("the turn was fenced");
  const { step_id } = begun;
  const cards = [{ type: "agent.thought", author_id: turn.agent_id, content: text, metadata: { step_id } }];
  const written = await appendOutput(kernel, { ...turn, cards });
  if (isFenced(written)) throw new Error("the turn was fenced");
  return written.card_ids[0] ?? "";
}

const from = (card_id: string, more = {}) => blame(kernel, { project_id: P, card_id, ...more });

describe("a path ends", () => {
  test("with what is not a model's: a card from outside, the system prompt, a file that a pack quotes", async () => {
    const [given = "", pack = ""] = await put(
      note(sentence(1)),
      note(
        {
          kind: "json",
          data: {
            ...{ packId: "0b6f1f8e-4c5e-4a53-9a4e-0f2d0a6f7c11", goal: sentence(3), definitionOfDone: [], docRefs: [] },
            ...{
              globalMode: "planning",
              docsRoot: "docs",
              relevantFiles: [{ path: "a.ts", excerpt: `So: ${sentence(2)}` }],
            },
          },
        },
        { type: "context.pack" },
      ),
    );
    const turn = await running("Solo");
    const said = async (text: string) => from(await step(turn, [given, pack], text));
    expect(await said(`A: ${sentence(1)}`)).toMatchObject({
      end: "given",
      hops: [{ card_id: given, evidence: "near" }],
    });
    expect(await said(sentence(2))).toMatchObject({
      end: "file",
      file: "a.ts",
      hops: [{ card_id: pack, evidence: "exact" }],
    });
    expect(await said("Yes, YOU ARE HERE. ")).toMatchObject({ hops: [], end: "first_said" });
    expect(await said("you are  here.")).toMatchObject({
      hops: [{ type: "sys.rendered_prompt" }],
      end: "profile",
    });
  });
  test("with the fields that a result must have, behind cards of a box that the context only names", async () => {
    const given = await put(note(sentence(5)), note(sentence(6)));
    const lent = await post(`/projects/${P}/boxes`, { card_ids: given });
    const { context_box_id } = await withUnit(kernel, (unit) =>
      packContext(unit, {
        project_id: P,
        source_agent_id: "human_ann",
        tool_suffix: "test",
        arguments: { profile_name: "Solo", box: lent.json.box_id, fields: [{ name: "a", description: sentence(7) }] },
        handover: {
          context_packing_config: {
            inherit_context: { include_parent: false, include_boxes_from_args: ["box"] },
            pack_arguments: [{ arg_key: "fields", as_card_type: "task.result_fields" }],
            order: "inherited_first",
          },
        },
      }),
    );
    const turn = await running("Solo");
    const { rows } = await kernel.test.pool.query(
      `UPDATE state.agent_turns t SET context_box_id = b.box_id FROM card_boxes b
       WHERE t.project_id = $1 AND t.agent_turn_id = $2 AND b.tenant_id = $1 AND b.box_id = $3 RETURNING b.base_len`,
      [P, turn.agent_turn_id, context_box_id],
    );
    expect(rows).toEqual([{ base_len: 2 }]);
    expect(await from(await step(turn, given, sentence(7)))).toMatchObject({
      hops: [{ type: "task.result_fields", evidence: "exact" }],
    });
  });
  test("with the person whose edit said it; what the edit left is the original's", async () => {
    const [original = ""] = await put(note(`${sentence(11)} ${sentence(12)}`));
    const [edited = ""] = await put(
      note(`${sentence(11)} ${sentence(13)}`, { author_id: "human_ann", metadata: { replaces: original } }),
    );
    const turn = await running("Solo");
    const kept = await from(await step(turn, [edited], sentence(11)));
    expect(kept.hops.map(({ card_id, evidence }) => [card_id, evidence])).toEqual([
      [edited, "exact"],
      [original, "copy"],
    ]);
    expect(await from(await step(turn, [edited], sentence(13)))).toMatchObject({
      hops: [{ card_id: edited }],
      end: "human",
    });
  });
  test("where its author said it first, also in an earlier step; later requests do not count", async () => {
    const turn = await running("Solo");
    const first = await step(turn, [], sentence(21));
    const second = await step(turn, [first], `Again: ${sentence(21)}`);
    const [late = ""] = await put(note(sentence(22)));
    const before = await step(turn, [], sentence(22));
    await step(turn, [late], "Now I have read it.");
    const start = "Again: ".length;
    expect(await from(second, { start })).toMatchObject({
      hops: [{ card_id: first, evidence: "exact" }],
      end: "first_said",
    });
    expect(await from(before)).toMatchObject({ hops: [], end: "first_said" });
  });
  test("where cards name each other as the original", async () => {
    await put(
      note(sentence(31), { card_id: "ring-a", metadata: { redacted_from: "ring-b" } }),
      note(sentence(31), { card_id: "ring-b", metadata: { redacted_from: "ring-a" } }),
    );
    expect(await from("ring-a")).toMatchObject({ hops: [{ card_id: "ring-b", evidence: "copy" }], end: "cycle" });
  });
});

describe("it is bounded", () => {
  test("24 hops, then it says that it is partial", async () => {
    const copies = Array.from({ length: 31 }, (_, i) =>
      note(sentence(41), { card_id: `copy-${i}`, ...(i > 0 && { metadata: { redacted_from: `copy-${i - 1}` } }) }),
    );
    await put(...copies);
    const answer = await from("copy-30");
    expect(answer).toMatchObject({ end: "limit", is_partial: true });
    expect(answer.hops).toHaveLength(24);
    expect(await from("copy-10")).toMatchObject({ end: "given", is_partial: false });
  });
  test("time: what was found by then, marked as partial", async () => {
    const hurried = { ...kernel, tunables: { ...tunables, blameMsMax: 0 } };
    const answer = await blame(hurried, { project_id: P, card_id: "copy-30" });
    expect(answer).toMatchObject({ hops: [], end: "limit", is_partial: true });
  });
  test("the number of statements does not grow with what was sent", async () => {
    const many = await put(...Array.from({ length: 300 }, (_, i) => note(sentence(100 + i))));
    const turn = await running("Solo");
    const few = await step(turn, many.slice(0, 3), sentence(101));
    const more = await step(turn, many, sentence(398));
    const count = (card_id: string) =>
      countStatements(kernel, (counting) => blame(counting, { project_id: P, card_id }));
    expect(await from(more)).toMatchObject({ hops: [{ card_id: many[298] }], end: "given" });
    expect(await count(more)).toBe(await count(few));
  });
});

describe("a text of a run", () => {
  test("begins at the first card that carries it, and says when there is none", async () => {
    const turn = await running("Solo");
    const card_id = await step(turn, [], sentence(51));
    const { root_turn_id } = turn.turn;
    const found = await blame(kernel, { project_id: P, root_turn_id, text: sentence(51).toUpperCase() });
    expect(found).toMatchObject({ hops: [{ card_id, evidence: "exact", coverage: 1 }], end: "first_said" });
    expect(found.start).toBeUndefined();
    const none = await blame(kernel, { project_id: P, root_turn_id, text: sentence(52) });
    expect(none).toMatchObject({ hops: [], end: "nowhere", is_partial: false });
  });
});

describe("over REST and tRPC", () => {
  test("the same answer, whose ranges are those of the card's text", async () => {
    const [given = ""] = await put(note({ kind: "json", data: { deep: [{ said: sentence(61) }] } }));
    const turn = await running("Solo");
    const card_id = await step(turn, [given], sentence(61));
    const { status, json } = await post(`/projects/${P}/blame`, { card_id });
    expect(status).toBe(200);
    const { start, end } = json.hops[0].range;
    const text = contentText({ kind: "json", data: { deep: [{ said: sentence(61) }] } });
    expect(text.slice(start, end)).toBe(sentence(61));
    const asked = createCaller({ kernel, user: "local" }).debugger.blame({ project_id: P, card_id });
    expect(await asked).toEqual(json);
  });
  test.each([
    [{}, "card_id"],
    [{ card_id: "copy-1", text: "these words" }, "text"],
    [{ text: "these words" }, "root_turn_id"],
    [{ card_id: "copy-1", root_turn_id: "r" }, "root_turn_id"],
    [{ text: "these words", root_turn_id: "r", start: 1 }, "start"],
    [{ card_id: "copy-1", start: 5, end: 5 }, "end"],
    [{ card_id: "copy-1", end: 200_000 }, "end"],
    [{ card_id: "copy-1", end: 20_000 }, "end"],
    [{ card_id: "copy-1", start: 20_000 }, "start"],
    [{ card_id: "copy-1", start: 1, end: 2 }, "start"],
    [{ card_id: "copy-1", start: -1 }, "start"],
    [{ text: " \n ", root_turn_id: "r" }, "text"],
  ])("%j is refused by its field %s", async (body, field) => {
    const refusal = await refused("POST", `/projects/${P}/blame`, { body });
    expect(refusal.error_message).toMatch(new RegExp(field));
  });
  test("a card or a run of another project is not found, and a deleted card has no words", async () => {
    const other = (body: object) => refused("POST", "/projects/other/blame", { body });
    expect(await other({ card_id: "copy-1" })).toMatchObject({ status: 404, error_message: /copy-1/ });
    const { root_turn_id } = (await running("Solo")).turn;
    expect(await other({ root_turn_id, text: "these words" })).toMatchObject({ status: 404 });
    const [card_id = ""] = await put(note("to be deleted soon"));
    await withUnit(kernel, (unit) => deleteCard(unit, { project_id: P, card_id, by: "human_ann" }));
    const gone = await refused("POST", `/projects/${P}/blame`, { body: { card_id } });
    expect(gone).toMatchObject({ status: 409, error_message: expect.stringMatching(/^card_id: /) });
  });
});
