// What is erased is in no table any more: not in the card, its copies, its requests, its titles, and not in the index.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { countUnits } from "@/server/testing/statements";
import { framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import { watchOnce } from "../reclaim/watch-turns";
import { eraseCard } from "./erase-card";

let kernel: TestKernel;
const P = "erasing";
const { ok, refused } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [scripted("Echo", [{ deliver: "a done thing" }])]);
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
