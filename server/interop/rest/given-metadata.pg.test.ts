// Listings, steps and provenance treat a card's metadata as facts. Only Switchyard sets who wrote a card, at which step, or what
// it stands for, whichever route the card comes by.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { NewCard } from "@/server/contract/card";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { foreignWorker } from "@/server/testing/foreign-worker";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";

let kernel: TestKernel;
const { settle, at, path, act, ok, own, refused, started, step } = foreignWorker(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());
beforeEach(settle);

type Metadata = NonNullable<NewCard["metadata"]>;
const facts: Metadata = {
  agent_turn_id: "turn_x",
  trace_id: "t",
  supersedes: "c",
  replaces: "c",
  redacted_from: "c",
  redactions: [],
  request_id: "r",
  decided_by: "ann",
  is_edited: true,
  batch_id: "b",
  is_fallback: true,
  inferred: true,
  mark: { kind: "mistake" },
  history_index: 1,
  client_call_id: "c",
  mended_text: true,
  is_mended: true,
  tool_call_id: "tc_1",
};
test("the id of a join's summary cannot be taken before it is written", async () => {
  const given = { ...card({}), card_id: "join_0123456789abcdef0123456789abcdef" };
  for (const way of ["/cards", "/boxes"])
    expect(await refused("POST", at(way), { body: { cards: [card({}), given] } })).toMatchObject({
      status: 422,
      error_message: expect.stringMatching(/^body\.cards\.1\.card_id: is an id of cards that Switchyard writes/),
    });
});

const ofTurn: Metadata = { step_id: "step_x", model_state: {}, script_step: 1, usage: { input_tokens: 1 } };
const card = (metadata: Metadata) => ({
  type: "agent.thought",
  content: "said nobody",
  metadata,
});
const rule = (card_metadata: object) => ({
  context_packing_config: { pack_arguments: [{ arg_key: "instruction", card_metadata }] },
});

test.each(Object.entries({ ...facts, ...ofTurn }))(
  "%s is refused by name, and leaves nothing behind",
  async (key, value) => {
    const given = { [key]: value };
    const ways: [string, object, string][] = [
      ["/cards", { cards: [card({}), card(given)] }, `cards.1.metadata.${key}`],
      ["/boxes", { cards: [card(given)] }, `cards.0.metadata.${key}`],
      [
        "/recipes",
        { name: "r", handover: rule(given) },
        `handover.context_packing_config.pack_arguments.0.card_metadata.${key}`,
      ],
      [
        "/context:pack",
        { source_agent_id: "a", tool_suffix: "t", arguments: { instruction: "x" }, handover: rule(given) },
        `context_packing_config.pack_arguments.0.card_metadata.${key}`,
      ],
    ];
    for (const [to, body, place] of ways) {
      const { status, error_message } = await refused("POST", at(to), { body });
      expect([status, error_message], to).toEqual([
        expect.toSatisfy((code: number) => code === 400 || code === 422),
        expect.stringContaining(place),
      ]);
    }
  },
);

test("a worker sets no fact of its turn's cards, and names steps of its own turn alone", async () => {
  const [turn, other] = [await started("Boss"), await started("Helper")];
  const [step_id, foreign] = [await step(turn), await step(other)];
  const append = (metadata: Metadata) =>
    refused("POST", path(turn, "append"), { body: { epoch: turn.epoch, cards: [card({}), card(metadata)] } });
  for (const [key, value] of Object.entries(facts))
    expect((await append({ [key]: value })).error_message).toContain(`cards.1.metadata.${key}`);
  for (const one of [foreign, "step_x", 7, null]) {
    const { status, error_message } = await append({ step_id: one });
    expect([status, error_message]).toEqual([
      400,
      expect.stringContaining("cards.1.metadata.step_id is not a step of this turn"),
    ]);
  }
  const usual = { step_id, model_state: { model: "m" }, usage: { input_tokens: 1 }, mood: "calm" };
  const { card_ids } = await act(turn, "append", { cards: [card(usual)] });
  const { metadata } = await ok("GET", at(`/cards/${card_ids[0]}`));
  expect(metadata).toMatchObject({ ...usual, agent_turn_id: turn.id });
});

test("what the kernel says of a card stands over what the card says of itself", async () => {
  const turn = await started("Boss");
  const appended = await appendOutput(kernel, {
    project_id: own.project,
    agent_turn_id: turn.id,
    turn_epoch: turn.epoch,
    cards: [{ ...card({ agent_turn_id: "turn_x", trace_id: "t" }), author_id: "mallory" }],
  });
  const { metadata } = await ok("GET", at(`/cards/${"card_ids" in appended ? appended.card_ids[0] : ""}`));
  expect(metadata.agent_turn_id).toBe(turn.id);
  expect(metadata.trace_id).not.toBe("t");
});

test("metadata of one's own is kept as it is", async () => {
  const metadata = { source: "crm", tool_call_id: "call_7", nested: { agent_turn_id: "x" } };
  const { cards } = await ok("POST", at("/cards"), { cards: [card(metadata)] });
  expect((await ok("GET", at(`/cards/${cards[0].card_id}`))).metadata).toMatchObject(metadata);
});
