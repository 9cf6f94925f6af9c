// Facts come from execution records: chains as they ran, broken chains marked so, and what the person asked before the branch.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DelegationFacts } from "@/server/contract/delegation-context";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { insertCards } from "../cardbox/insert-cards";
import { readBoxCards } from "../cardbox/read-box-cards";
import { readBodies } from "../roster/read-bodies";
import type { TurnRow } from "../turns/turn-row";
import { withUnit } from "../unit";
import { chainText } from "./chain-text";
import { readCallerFacts } from "./read-facts";
import { renderPreamble } from "./render-preamble";

let kernel: TestKernel;
const project_id = "proj_1";
const self = { agent_id: "observer_1", name: "observer" };

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [
    { name: "coordinator", description: "Plans" },
    { name: "solver", description: "Solves puzzles" },
  ]);
});
afterAll(() => kernel.close());

const { running, accepted, run, deliver } = callersOf(() => kernel, project_id);
const factsOf = async (caller: TurnRow): Promise<DelegationFacts> => ({
  ...(await readCallerFacts(kernel, { project_id, caller })),
  schema_version: 1,
  target: self,
});
const change = (sql: string, ...values: unknown[]) => kernel.db.pool.query(sql, values);

/** human → coordinator → solver, both running. */
async function twoDeep() {
  const coordinator = await running("coordinator");
  const child = await accepted(coordinator, toNew("solver"));
  const solver = await run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
  return { coordinator, solver, child };
}

describe("chain", () => {
  test("77 from the person to the caller, with its description and depth", async () => {
    const { solver } = await twoDeep();
    const facts = await factsOf(solver.turn);
    expect(chainText(facts)).toBe("human → coordinator → solver → you (observer)");
    expect(facts).toMatchObject({
      origin: "human",
      depth: 3,
      caller: { agent_id: solver.agent_id, name: "solver", description: "Solves puzzles", is_human: false },
      root_text: "begin",
      has_env_data: false,
    });
    expect(renderPreamble(facts, "standard")).toContain('Task context: The human asked: "begin"');
  });
  test("what was stored with the hand-over is what is read, directly before the instruction", async () => {
    const { child } = await twoDeep();
    const { cards } = await readBoxCards(kernel, { project_id, box_id: child.context_box_id });
    expect(cards.map((c) => [c.type, c.origin])).toEqual([
      ["meta.delegation_context", "sys"],
      ["task.instruction", "arg:instruction"],
      ["meta.parent_pointer", "ptr"],
    ]);
    expect(cards[0]?.content).toMatchObject({
      kind: "json",
      data: { chain: [{ name: "coordinator" }], target: { name: "solver" } },
    });
  });
  test("a person's own call: origin and text are kept, no agent is in the chain", async () => {
    const coordinator = await running("coordinator");
    const { cards } = await readBoxCards(kernel, { project_id, box_id: coordinator.turn.context_box_id });
    expect(cards[0]?.content).toMatchObject({
      data: { origin: "human", chain: [], caller: { is_human: true }, root_text: "begin" },
    });
  });
  test("99 a clone is shown by its own name, its card keeps both ids", async () => {
    const { coordinator, solver } = await twoDeep();
    await deliver(solver, "four");
    await change("UPDATE resource.project_agents SET display_name = 'Solver Two' WHERE agent_id = $1", solver.agent_id);
    const clone = await accepted(coordinator, {
      target_strategy: "clone",
      target_ref: solver.agent_id,
      instruction: "again",
    });
    const cloned = await run(clone.agent_id, clone.agent_turn_id, clone.turn_epoch ?? 0);
    const facts = await factsOf(cloned.turn);
    expect(chainText(facts)).toBe("human → coordinator → Solver Two → you (observer)");
    expect(facts.chain.at(-1)).toMatchObject({ agent_id: clone.agent_id, derived_from: solver.agent_id });
  });
  test("81 a parent that is gone, and a ring, end in unknown", async () => {
    const { solver } = await twoDeep();
    await change(
      "UPDATE state.agent_turns SET parent_turn_id = 'turn_gone' WHERE agent_turn_id = $1",
      solver.agent_turn_id,
    );
    expect(chainText(await factsOf(solver.turn))).toBe("unknown → solver → you (observer)");
    const { solver: x } = await twoDeep();
    await change(
      "UPDATE state.agent_turns SET parent_turn_id = $1 WHERE agent_turn_id = $2",
      x.agent_turn_id,
      x.turn.parent_turn_id,
    );
    expect(chainText(await factsOf(x.turn))).toBe("unknown → coordinator → solver → you (observer)");
  });
});

test("83 the person's latest message before the branch, never one after it", async () => {
  const { coordinator, solver } = await twoDeep();
  const say = async (content: string, at: string) => {
    const { rows } = await change(
      "SELECT context_box_id, agent_id FROM state.agent_turns WHERE agent_turn_id = $1",
      coordinator.turn.root_turn_id,
    );
    const [card] = await withUnit(kernel, (unit) =>
      insertCards(unit, { project_id, cards: [{ type: "task.instruction", content, author_id: rows[0].agent_id }] }),
    );
    // Times are set by hand, so that there are messages before and after the branch.
    await change("ALTER TABLE cards DISABLE TRIGGER cards_never_change");
    await change(
      `UPDATE cards SET created_at = (SELECT created_at FROM state.agent_turns WHERE agent_turn_id = $1) + $2::interval WHERE card_id = $3`,
      coordinator.agent_turn_id,
      at,
      card?.card_id,
    );
    await change("ALTER TABLE cards ENABLE TRIGGER cards_never_change");
    await change(
      "UPDATE card_boxes SET tail = tail || $1::text, length = length + 1 WHERE box_id = $2",
      card?.card_id,
      rows[0].context_box_id,
    );
  };
  expect((await factsOf(solver.turn)).root_text).toBe("begin");
  await say("task 0", "-1 hour");
  expect((await factsOf(solver.turn)).root_text).toBe("begin");
  await say("task 9", "1 second");
  expect((await factsOf(solver.turn)).root_text).toBe("begin");
  await change(
    "UPDATE state.agent_turns SET created_at = created_at + interval '1 hour' WHERE agent_turn_id = $1",
    coordinator.agent_turn_id,
  );
  expect((await factsOf(solver.turn)).root_text).toBe("task 9");
});

test("a profile's box may have its card in a chunk, as all boxes had before they kept a tail", async () => {
  const { solver } = await twoDeep();
  const box_id = solver.turn.profile_box_id;
  await change(
    `INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
     SELECT tenant_id, box_id, 0, 0, tail, tail_origins, tail_tokens, tail_untravelled FROM card_boxes WHERE tenant_id = $1 AND box_id = $2`,
    project_id,
    box_id,
  );
  for (const chunk_count of [0, 1]) {
    await change(
      `UPDATE card_boxes SET chunk_count = $3, tail = NULL, carried = NULL, tail_origins = NULL, tail_tokens = NULL, tail_untravelled = NULL
       WHERE tenant_id = $1 AND box_id = $2`,
      project_id,
      box_id,
      chunk_count,
    );
    expect((await factsOf(solver.turn)).caller.description).toBe("Solves puzzles");
    const bodies = await readBodies(kernel, { project_id, profile_box_ids: [box_id] });
    expect(bodies.get(box_id)?.description).toBe("Solves puzzles");
  }
});

test("a profile may be pinned to a box that is based on another one", async () => {
  const { solver } = await twoDeep();
  await change(
    `INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, base_box, base_len, chunk_count)
     SELECT tenant_id, 'based', 'context', 1, token_sum, box_id, 1, 1 FROM card_boxes WHERE tenant_id = $1 AND box_id = $2`,
    project_id,
    solver.turn.profile_box_id,
  );
  const bodies = await readBodies(kernel, { project_id, profile_box_ids: ["based", solver.turn.profile_box_id] });
  expect([...bodies.values()].map((body) => body.description)).toEqual(["Solves puzzles", "Solves puzzles"]);
  await change("UPDATE state.agent_turns SET profile_box_id = 'based' WHERE agent_turn_id = $1", solver.agent_turn_id);
  expect((await accepted(solver, toNew("coordinator"))).agent_turn_id).toBeTruthy();
});

test("95 environment data: a hint and a manifest only if there is some at the call", async () => {
  const { solver } = await twoDeep();
  const store = (key: string) =>
    change(
      "INSERT INTO state.env_data (project_id, root_turn_id, key, short_description, value, stored_by) VALUES ($1, $2, $3, 'what it is', '1', 'x')",
      project_id,
      solver.turn.root_turn_id,
      key,
    );
  expect(await factsOf(solver.turn)).not.toHaveProperty("env_manifest");
  for (let i = 12; i > 0; i--) await store(`key${String(i).padStart(2, "0")}`);
  const facts = await factsOf(solver.turn);
  expect(facts.has_env_data).toBe(true);
  expect(facts.env_manifest?.map((row) => row.key)).toEqual(
    Array.from({ length: 10 }, (_, i) => `key${String(i + 1).padStart(2, "0")}`),
  );
});
