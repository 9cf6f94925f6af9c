// Requests of agents and forks that ran: how far they begin alike, why no more, and what a cache could have served.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { withUnit } from "../unit";
import { readAgentPrefix } from "./read-agent-prefix";
import { readBatchPrefix } from "./read-batch-prefix";

const P = "prefixes";
let kernel: TestKernel;
let worker: Worker;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  const tasks = ["one", "two", "three"].map((instruction) => ({
    ...{ target_strategy: "new", target_ref: "Leaf", instruction },
  }));
  await seedProject(kernel, P, [
    scripted("Boss", [{ call: "fork_join", arguments: { tasks } }, { deliver: "joined" }], {
      allowed_internal_tools: ["fork_join"],
      delegation_policy: { target_tags: [], target_profiles: ["Leaf"] },
    }),
    scripted("Leaf", [{ call: "think", arguments: { thought: "I plan." } }, { deliver: "did it" }], {
      allowed_internal_tools: ["think"],
    }),
    { name: "Modelled", llm_config: { model: "openai/gpt-5-mini" } },
  ]);
  await seedProject(kernel, "neighbour");
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

const ofAgent = (agent_id: string, project_id = P) => readAgentPrefix(kernel, { project_id, agent_id });

describe("an agent", () => {
  test("a second step only adds to the first; a scripted model has no rule and reports nothing", async () => {
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Leaf" });
    const turn = await untilTurn(kernel, P, agent_turn_id);
    const found = await ofAgent(turn.agent_id);
    expect(found.total).toBe(2);
    const [first, second] = found.requests;
    expect(first).toMatchObject({ why: "first", ordinal: 1, predicted_cached: null, not_cached: "no_rule" });
    expect(second).toMatchObject({
      why: "appended",
      against: first?.step_id,
      common: first?.sent && { cards: first.sent.cards },
    });
    expect(second?.sent.cards).toBeGreaterThan(first?.sent.cards ?? 0);
    expect(second).not.toHaveProperty("differs");
    expect(found.totals).toMatchObject({ predicted_cached: 0, reported_cached: 0, unreported: 2, without_rule: 2 });
    expect(found.totals.input_tokens).toBe((first?.sent.tokens ?? 0) + (second?.sent.tokens ?? 0));
  });

  test("a system prompt that changes at its end, a tool list, a card put in: the first difference is shown with its diff", async () => {
    const agent_id = await seedRequests([
      { system: `${"Work with care and say what you found. ".repeat(100)}Nine steps are left.`, cards: ["k1", "k2"] },
      { system: `${"Work with care and say what you found. ".repeat(100)}Two steps are left.`, cards: ["k1", "k2"] },
      {
        system: `${"Work with care and say what you found. ".repeat(100)}Two steps are left.`,
        tools: 2,
        cards: ["k1", "k2"],
      },
      {
        system: `${"Work with care and say what you found. ".repeat(100)}Two steps are left.`,
        tools: 2,
        cards: ["k1", "k3", "k2"],
      },
      {
        system: `${"Work with care and say what you found. ".repeat(100)}Two steps are left.`,
        tools: 2,
        cards: ["k1", "k3", "k2"],
      },
    ]);
    const { requests, totals, rules } = await ofAgent(agent_id);
    expect(requests.map(({ why }) => why)).toEqual(["first", "system_changed", "tools_changed", "inserted", "same"]);
    const [, system, tools, put, same] = requests;
    expect(system?.differs).toMatchObject({ at: 0, a: { type: "sys.rendered_prompt" }, change: { how: "words" } });
    expect(system?.common).toEqual({ cards: 0, tokens: 0 });
    // All but its last words, though not one whole item.
    expect(system?.common_part).toBeGreaterThan(700);
    expect(tools?.differs).toMatchObject({ at: 1, change: { how: "paths" } });
    expect(put?.differs).toMatchObject({ at: 3, a: { card_id: "k2" }, b: { card_id: "k3" } });
    expect(put?.differs).not.toHaveProperty("change");
    expect(same).not.toHaveProperty("differs");
    for (const one of [put, same]) expect((one?.predicted_cached ?? 1) % 128).toBe(0);
    expect(totals.predicted_cached).toBe(requests.reduce((sum, one) => sum + (one.predicted_cached ?? 0), 0));
    expect(totals).toMatchObject({ reported_cached: 5 * 64, input_tokens: 5 * 5_000, unreported: 0, without_rule: 0 });
    expect(rules).toMatchObject([{ provider: "openai", model: "gpt-5-mini", min_tokens: 1_024, step_tokens: 128 }]);
  });

  test("the newest 200 of more, in as many statements as of two; of another project's agent nothing is said", async () => {
    const many = await seedRequests(Array.from({ length: 230 }, () => ({ system: "Go on.", cards: ["k1"] })));
    const found = await ofAgent(many);
    expect([found.requests.length, found.total]).toEqual([200, 230]);
    expect(found.requests[0]).toMatchObject({ ordinal: 31, why: "first" });
    expect(found.requests.slice(1).every(({ why, not_cached }) => why === "same" && not_cached === "too_short")).toBe(
      true,
    );
    const few = await seedRequests([
      { system: "a b", cards: ["k1"] },
      { system: "a c", cards: ["k1"] },
    ]);
    const count = (agent_id: string) =>
      countStatements(kernel, (counting) => readAgentPrefix(counting, { project_id: P, agent_id }));
    expect(await count(few)).toBe(7);
    expect(await count(many)).toBeLessThanOrEqual(7);
    await expect(ofAgent(many, "neighbour")).rejects.toMatchObject({ code: "not_found" });
    await expect(ofAgent("nobody")).rejects.toMatchObject({
      message: expect.stringContaining("agent nobody not found"),
    });
  });
});

test("the branches of a fork against the one that began first, and what all of them begin with", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss" });
  await untilTurn(kernel, P, agent_turn_id);
  const { rows } = await kernel.db.pool.query<{ batch_id: string }>(
    "SELECT batch_id FROM state.pmo_batches WHERE project_id = $1",
    [P],
  );
  const [{ batch_id } = { batch_id: "" }] = rows;
  const { requests, shared, total } = await readBatchPrefix(kernel, { project_id: P, batch_id });
  expect(total).toBe(3);
  expect(requests.map(({ task_index }) => task_index).toSorted()).toEqual([0, 1, 2]);
  const [first, ...others] = requests;
  for (const one of others) expect(one.against).toBe(first?.step_id);
  expect(shared?.cards).toBe(Math.min(...others.map(({ common }) => common.cards)));
  expect(await countStatements(kernel, (counting) => readBatchPrefix(counting, { project_id: P, batch_id }))).toBe(7);
  for (const [project_id, id] of [["neighbour", batch_id] as const, [P, "nothing"] as const])
    await expect(readBatchPrefix(kernel, { project_id, batch_id: id })).rejects.toMatchObject({ code: "not_found" });
});

type Given = { system: string; tools?: number; cards: string[] };

/** A turn with requests as a worker would have stored them, to a model that a provider reports on. */
async function seedRequests(given: Given[]): Promise<string> {
  const { rows: profiles } = await kernel.db.pool.query<{ profile_box_id: string }>(
    "SELECT profile_box_id FROM resource.profiles WHERE project_id = $1 AND name = 'Modelled'",
    [P],
  );
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Leaf" });
  const { agent_id } = await untilTurn(kernel, P, agent_turn_id);
  await kernel.db.pool.query("DELETE FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2", [
    P,
    agent_turn_id,
  ]);
  await kernel.db.pool.query(
    "UPDATE state.agent_turns SET profile_box_id = $3 WHERE project_id = $1 AND agent_turn_id = $2",
    [P, agent_turn_id, profiles[0]?.profile_box_id],
  );
  await withUnit(kernel, async (unit) => {
    const known = ["k1", "k2", "k3"].map((card_id) => ({
      ...{ card_id, type: "agent.note", author_id: "ann", content: `Note ${card_id} says what was found. `.repeat(80) },
    }));
    const notes = new Map(
      (await insertCards(unit, { project_id: P, cards: known })).map((card) => [card.card_id, card]),
    );
    for (const [at, { system, tools = 1, cards }] of given.entries()) {
      const offered = Array.from({ length: tools }, (_, i) => ({ tool_name: `tool_${i}` }));
      const made = await insertCards(unit, {
        project_id: P,
        cards: [
          { type: "sys.rendered_prompt", author_id: "switchyard", content: system },
          { type: "sys.tools", author_id: "switchyard", content: { kind: "json", data: { tools: offered } } },
        ],
      });
      const items = [...made, ...cards.flatMap((id) => notes.get(id) ?? [])].map((card) => ({
        ...card,
        origin: "card",
      }));
      const [box] = await createBoxes(unit, {
        project_id: P,
        boxes: [{ kind: "request", owner_turn_id: agent_turn_id, items }],
      });
      await unit.query(
        "test_step",
        `INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, turn_epoch, ordinal, status, request_box_id, usage, started_at)
         VALUES ($1, $2, $3, $4, 1, $5::int, 'completed', $6, $7, now() + make_interval(secs => $5::int))`,
        [
          P,
          unit.kernel.newId("step_"),
          agent_turn_id,
          agent_id,
          at + 1,
          box?.box_id,
          { input_tokens: 5_000, cached_input_tokens: 64 },
        ],
      );
    }
  });
  return agent_id;
}
