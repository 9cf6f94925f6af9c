// Deleting a card over REST: a tombstone stays wherever the card was, and no door shows its content again.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { framesOf, launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";

let kernel: TestKernel;
const P = "deleting";
const SECRET = "the word is marzipan";
const { ok, refused, send } = restOf(() => kernel);
const at = (path: string) => `/projects/${P}${path}`;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Echo", [{ deliver: "done: {instruction}" }]),
    scripted("Slow", [
      {
        call: "store_env_data",
        arguments: { key: "k", value: 1, short_description: "d" },
        wait_ms: 700,
        note: "at it",
      },
      { deliver: "done" },
    ]),
  ]);
  await seedProject(kernel, "elsewhere");
});
afterAll(() => kernel.close());

async function launched() {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Echo", instruction: SECRET });
  const turn = await ok("GET", at(`/turns/${agent_turn_id}`));
  return { agent_turn_id, card_id: turn.instruction_card_id as string, box_id: turn.context_box_id as string };
}

test("a card in use loses its content at every door, and its place and weight stay", async () => {
  const { agent_turn_id, card_id, box_id } = await launched();
  const box = await ok("GET", at(`/boxes/${box_id}/cards`));
  const card = await ok("GET", at(`/cards/${card_id}`));
  expect(JSON.stringify(card)).toContain(SECRET);
  const gone = await ok("DELETE", at(`/cards/${card_id}`));
  const { type, role, author_id, token_count, content_hash } = card;
  expect(gone).toMatchObject({
    card_id,
    type,
    role,
    author_id,
    token_count,
    content_hash,
    gone: "deleted",
    content: null,
  });
  expect(await ok("GET", at(`/cards/${card_id}`))).toEqual(gone);
  const after = await ok("GET", at(`/boxes/${box_id}/cards`));
  expect(after.map((one: { card_id: string }) => one.card_id)).toEqual(
    box.map((one: { card_id: string }) => one.card_id),
  );
  expect(after.find((one: { card_id: string }) => one.card_id === card_id).content).toBeNull();
  expect((await ok("POST", at("/cards/batch"), { card_ids: [card_id] })).cards).toEqual([gone]);
  // The run's first words are in other cards too, each agent is told them: a search leads to those copies, never to this one.
  const copies: string[] = (await ok("GET", at("/cards?q=marzipan"))).items.map(
    (one: { card_id: string }) => one.card_id,
  );
  expect(copies).not.toContain(card_id);
  for (const copy of copies) await ok("DELETE", at(`/cards/${copy}`));
  expect((await ok("GET", at("/cards?q=marzipan"))).items).toEqual([]);
  const worker = await startTestWorker(kernel);
  await untilTurn(kernel, P, agent_turn_id);
  await worker.stop();
  const request = await ok("GET", at(`/turns/${agent_turn_id}/messages`));
  expect(request.request_text).toContain("[content deleted]");
  expect(request.request_text).not.toContain("marzipan");
});

test("deleting twice, and again with the same key, gives the same tombstone", async () => {
  const { card_id } = await launched();
  const headers = { "idempotency-key": "delete-1" };
  const first = await send("DELETE", at(`/cards/${card_id}`), { headers });
  expect(first.status).toBe(200);
  const before = await countRows(kernel);
  expect(await send("DELETE", at(`/cards/${card_id}`), { headers })).toMatchObject({ status: 200, json: first.json });
  expect(await ok("DELETE", at(`/cards/${card_id}`))).toEqual(first.json);
  expect(await countRows(kernel)).toEqual(before);
});

test("a card of another project, or none, is not found; the card of a profile is a conflict", async () => {
  const { card_id } = await launched();
  expect(await refused("DELETE", `/projects/elsewhere/cards/${card_id}`)).toMatchObject({ status: 404 });
  expect(await refused("DELETE", at("/cards/nothing"))).toMatchObject({ status: 404 });
  expect(await refused("DELETE", "/projects/nowhere/cards/nothing")).toMatchObject({ status: 404 });
  expect((await ok("GET", at(`/cards/${card_id}`))).gone).toBeUndefined();
  const [profile] = (await ok("GET", at("/cards?type=sys.profile"))).items;
  expect(await refused("DELETE", at(`/cards/${profile.card_id}`))).toMatchObject({
    status: 409,
    error_code: "conflict",
  });
});

test("deleted during a turn: the request under way keeps its bytes, the next one has the tombstone, and the turn ends well", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Slow", instruction: SECRET });
  const worker = await startTestWorker(kernel);
  onTestFinished(() => worker.stop());
  const turn = await untilTurn(kernel, P, agent_turn_id, (row) => row.step_count === 1 && row.status === "running");
  await ok("DELETE", at(`/cards/${turn.instruction_card_id}`), { user: "ann" });
  expect(await untilTurn(kernel, P, agent_turn_id)).toMatchObject({ status: "success", attempt: 1 });
  const first = await ok("GET", at(`/turns/${agent_turn_id}/messages?step=1`));
  const second = await ok("GET", at(`/turns/${agent_turn_id}/messages?step=2`));
  expect(first.request_text).toContain(SECRET);
  expect(second.request_text).toContain("[content deleted]");
  const frames = await framesOf(kernel, P, "card");
  expect(frames.filter(({ id }) => id === turn.instruction_card_id)).toMatchObject([{ deleted_by: "human_ann" }]);
  expect(JSON.stringify(frames)).not.toContain("marzipan");
});
