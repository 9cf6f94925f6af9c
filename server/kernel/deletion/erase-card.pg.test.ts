// What is erased is in no table any more: not in the card, its copies, its requests, its titles, and not in the index.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { answerWith, peopleOf } from "@/server/testing/people";
import { restOf } from "@/server/testing/rest";
import { countUnits } from "@/server/testing/statements";
import { framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { insertCards } from "../cardbox/insert-cards";
import { launch } from "../launch/launch";
import { watchOnce } from "../reclaim/watch-turns";
import { beginStep } from "../turns/begin-step";
import { isFenced } from "../turns/fenced";
import { startTurn } from "../turns/start-turn";
import { withUnit } from "../unit";
import { eraseCard } from "./erase-card";

let kernel: TestKernel;
const P = "erasing";
const { ok, refused } = restOf(() => kernel);
const people = peopleOf(() => kernel, P, "Asker");
const at = (path: string) => `/projects/${P}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Echo", [{ deliver: "a done thing" }]),
    { name: "Idle" },
    { name: "Asker", allowed_tools: ["ask_human"] },
  ]);
  await seedProject(kernel, "elsewhere");
});
afterAll(() => kernel.close());

async function ran(instruction: string) {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Echo", instruction });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  await watchOnce(kernel);
  return turn;
}
async function tablesWith(word: string): Promise<string[]> {
  const found = await Promise.all(
    Object.keys(await countRows(kernel)).map(async (name) => {
      const { rows } = await kernel.db.pool.query(
        `SELECT 1 FROM (SELECT t::text AS all_of_it, encode(convert_to(t::text, 'UTF8'), 'escape') FROM ${name} t) x
         WHERE x.all_of_it ILIKE '%' || $1 || '%' OR x.all_of_it LIKE '%' || encode($1::bytea, 'hex') || '%' LIMIT 1`,
        [word],
      );
      return rows.length > 0 ? name : [];
    }),
  );
  return found.flat().sort();
}

test("with all cards of the same words erased, the word is left in the journal alone", async () => {
  const turn = await ran("whisper persimmon");
  expect(await tablesWith("persimmon")).toEqual(
    expect.arrayContaining(["public.cards", "state.agent_steps", "state.agent_turns", "state.runs"]),
  );
  const { items } = await ok("GET", at("/cards?q=persimmon"));
  expect(items.length).toBeGreaterThan(1);
  const holders = await ok("GET", at(`/cards/${turn.instruction_card_id}/holders`));
  expect(holders).toMatchObject({
    is_profile: false,
    requests: { count: 1 },
    turns: { count: 1 },
    runs: [{ number: 1 }],
  });
  const records = [];
  for (const { card_id } of items)
    records.push(await ok("POST", at(`/cards/${card_id}:erase`), { user: "ann", reason: "asked for it" }));
  const own = records.find((one) => one.subject_id === turn.instruction_card_id);
  expect(own).toMatchObject({
    kind: "card",
    deleted_by: "human_ann",
    reason: "asked for it",
    ended_at: expect.any(String),
  });
  expect(own.counts).toMatchObject({ cards: 1, titles: 1 });
  expect(await tablesWith("persimmon")).toEqual(["state.journal_packs"]);
  const card = await ok("GET", at(`/cards/${turn.instruction_card_id}`));
  expect(card).toMatchObject({ gone: "deleted", content: null, type: "task.instruction" });
  expect(card.token_count).toBeGreaterThan(0);
  const request = await ok("GET", at(`/turns/${turn.agent_turn_id}/messages`));
  expect(request.request_text).toBeUndefined();
  for (const path of ["", "/messages"]) await ok("GET", at(`/turns/${turn.agent_turn_id}${path}`));
  await ok("GET", at(`/runs/${turn.root_turn_id}/transcript`));
  await ok("GET", at(`/cards/${turn.instruction_card_id}/sightings`));
  expect((await framesOf(kernel, P, "card")).at(-1)).toMatchObject({ is_deleted: true, deleted_by: "human_ann" });
});

test("erasing twice, or at once, is one record; a hidden card can still be erased", async () => {
  const turn = await ran("whisper medlar");
  const path = at(`/cards/${turn.instruction_card_id}`);
  await ok("DELETE", path, { user: "ann" });
  expect(await tablesWith("medlar")).toContain("public.cards");
  const both = await Promise.all([1, 2].map(() => ok("POST", `${path}:erase`, { user: "ann" })));
  expect(both[0].deletion_id).toBe(both[1].deletion_id);
  expect((await ok("POST", `${path}:erase`, { user: "ann" })).deletion_id).toBe(both[0].deletion_id);
  const { items } = await ok("GET", at("/deletions"));
  expect(items.filter((one: { subject_id: string }) => one.subject_id === turn.instruction_card_id)).toHaveLength(1);
  expect(await ok("GET", at(`/deletions/${both[0].deletion_id}`))).toMatchObject({
    subject_id: turn.instruction_card_id,
  });
});

test("a process that dies before the requests are done leaves them to the watchdog", async () => {
  const turn = await ran("whisper kumquat");
  const dies: TestKernel = {
    ...kernel,
    probe: async (point) => {
      if (point === "deletion-requests") throw new Error("killed");
    },
  };
  const input = { project_id: P, card_id: turn.instruction_card_id ?? "", by: "human_ann", reason: "" };
  await expect(eraseCard(dies, input)).rejects.toThrow("killed");
  expect(await tablesWith("kumquat")).toContain("state.agent_steps");
  await watchOnce(kernel);
  expect(await tablesWith("kumquat")).not.toContain("state.agent_steps");
});

test("a profile's body is a conflict, another project's card and none are not found", async () => {
  const turn = await ran("whisper sloe");
  const [profile] = (await ok("GET", at("/cards?type=sys.profile"))).items;
  const body = { user: "ann" };
  expect(await refused("POST", at(`/cards/${profile.card_id}:erase`), { body })).toMatchObject({ status: 409 });
  expect(await refused("POST", `/projects/elsewhere/cards/${turn.instruction_card_id}:erase`, { body })).toMatchObject({
    status: 404,
  });
  expect(await refused("GET", `/projects/elsewhere/cards/${turn.instruction_card_id}/holders`)).toMatchObject({
    status: 404,
  });
});

test("only an erasure changes a card: the trigger refuses another content, and a stub that says more", async () => {
  const { instruction_card_id } = await ran("whisper quandong");
  for (const change of [
    'content = \'{"kind": "text", "text": "x"}\'',
    "content = 'null'",
    "content = 'null', tool_calls = NULL, deleted_at = now(), metadata = metadata || '{\"more\": 1}'",
    "content = 'null', tool_calls = NULL, deleted_at = now(), token_count = 0",
  ])
    await expect(
      kernel.db.pool.query(`UPDATE cards SET ${change} WHERE card_id = $1`, [instruction_card_id]),
      change,
    ).rejects.toThrow("cards never change");
});

test("the statements of each unit", async () => {
  const { instruction_card_id } = await ran("whisper jujube");
  const units = await countUnits(kernel, (counting) =>
    eraseCard(counting, { project_id: P, card_id: instruction_card_id ?? "", by: "human_ann", reason: "" }),
  );
  expect(Math.max(...units)).toBeLessThanOrEqual(18);
});

test("the titles of a fork's tasks go with their instructions, and copies of copies with the card", async () => {
  const [first, second] = await withUnit(kernel, async (unit) => {
    const write = (metadata: Record<string, string>) =>
      insertCards(unit, {
        project_id: P,
        cards: [{ type: "note", author_id: "human_ann", content: "of a loquat", metadata }],
      });
    const [origin] = await write({});
    const [copy] = await write({ replaces: origin?.card_id ?? "" });
    await write({ redacted_from: copy?.card_id ?? "" });
    return [origin, copy];
  });
  const tasks = [1, 2].map((n) => ({
    target_strategy: "new",
    target_ref: "Echo",
    instruction: `watch the loquat ${n}`,
  }));
  const { result, root_turn_id } = await launch(kernel, {
    ...{ project_id: P, tool: "fork_join", user: "ann" },
    args: { tasks, max_parallel: 1 },
  });
  if (!("tasks" in result)) throw new Error("a fork was launched");
  expect(second?.card_id).toBeDefined();
  const erase = (card_id = "") => eraseCard(kernel, { project_id: P, card_id, by: "human_ann", reason: "" });
  expect((await erase(first?.card_id)).counts).toMatchObject({ cards: 3 });
  const { rows } = await kernel.db.pool.query(
    "SELECT card_id FROM cards WHERE tenant_id = $1 AND content::text LIKE '%loquat%'",
    [P],
  );
  for (const { card_id } of rows) await erase(card_id);
  const batch = await ok("GET", at(`/batches/${result.batch_id}`));
  expect(batch.tasks.map((task: { title: string }) => task.title)).toEqual(["[content deleted]", "[content deleted]"]);
  expect((await framesOf(kernel, P, "batch_task")).at(-1)).toMatchObject({ title: "[content deleted]" });
  expect((await tablesWith("loquat")).filter((name) => name !== "state.journal_packs")).toEqual([]);
  expect(root_turn_id).toMatch(/^turn_/);
});

test("a question that was decided is told again without its words, and can still be read", async () => {
  const { request } = await people.asked("ask_human", { question: "Is it the bilberry?" });
  const { request_id } = await people.decide(request, answerWith("the bilberry"));
  const { rows } = await kernel.db.pool.query<{ card_id: string }>(
    "SELECT card_id FROM cards WHERE tenant_id = $1 AND (content::text LIKE '%bilberry%' OR tool_calls::text LIKE '%bilberry%')",
    [P],
  );
  const card_ids = rows.map((row) => row.card_id);
  for (const card_id of card_ids) await eraseCard(kernel, { project_id: P, card_id, by: "human_ann", reason: "" });
  expect((await framesOf(kernel, P, "human_request")).at(-1)).toMatchObject({
    id: request_id,
    title: "[content deleted]",
  });
  expect(await ok("GET", at(`/human-requests/${request_id}`))).toMatchObject({
    question: { question: "[content deleted]" },
  });
  expect((await tablesWith("bilberry")).filter((name) => name !== "state.journal_packs")).toEqual([]);
});

test("bytes of a request that were made before one of their cards was erased are not kept", async () => {
  const { agent_id, agent_turn_id, turn_epoch } = await launchTurn(kernel, P, {
    target: "Idle",
    instruction: "whisper rambutan",
  });
  const key = { project_id: P, agent_id, agent_turn_id, turn_epoch: turn_epoch ?? 0 };
  const started = await startTurn(kernel, { ...key, worker_id: "w" });
  if (isFenced(started)) throw new Error("the turn could not be started");
  const { instruction_card_id } = started.turn;
  await eraseCard(kernel, { project_id: P, card_id: instruction_card_id ?? "", by: "human_ann", reason: "" });
  const begun = await beginStep(kernel, {
    ...key,
    request: {
      card_ids: [instruction_card_id ?? ""],
      system: "",
      tools: [],
      bytes: Buffer.from("whisper rambutan"),
      tokens: 1,
      tools_tokens: 1,
    },
  });
  expect(begun).toHaveProperty("step_id");
  expect(await tablesWith("rambutan")).not.toContain("state.agent_steps");
});
