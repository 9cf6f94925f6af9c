// What the pages of boxes, cards and agents read, on turns created by the kernel itself.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DelegateResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { callersOf, type Running, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { parseCursor } from "../journal/cursor";
import { tailJournal } from "../journal/tail-journal";
import { appendOutput } from "../turns/append-output";
import { withUnit } from "../unit";
import { listAgentLines } from "./list-agent-lines";
import { listBoxHits } from "./list-box-hits";
import { listCardLines } from "./list-card-lines";
import { readAgentSheet } from "./read-agent-sheet";
import { readBoxSheet } from "./read-box-sheet";
import { readCardSheet } from "./read-card-sheet";
import { readCardSightings } from "./read-card-sightings";

let kernel: TestKernel;
const project_id = "sheets";
let boss: Running;
let child: DelegateResult;
const { running, accepted } = callersOf(() => kernel, project_id);

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Boss" }, { name: "Helper" }]);
  await seedProject(kernel, "other", [{ name: "Boss" }]);
  boss = await running("Boss");
  await appendOutput(kernel, {
    ...boss,
    cards: [
      {
        card_id: "thought",
        type: "agent.thought",
        content: "## Plan\nask the helper about iron-air batteries",
        author_id: boss.agent_id,
      },
      {
        type: "tool.call",
        content: { kind: "tool_call", tool_name: "search", arguments: { q: "x" } },
        tool_call_id: "tc_1",
        card_id: "call",
        author_id: boss.agent_id,
      },
      {
        type: "tool.result",
        content: { kind: "tool_result", status: "success", result: "three hits" },
        tool_call_id: "tc_1",
        card_id: "result",
        author_id: "search",
      },
    ],
  });
  child = await accepted(boss, toNew("Helper", { context_box_id: boss.turn.output_box_id }));
});
afterAll(() => kernel.close());

async function refusal(work: Promise<unknown>): Promise<KernelError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KernelError);
  return error as KernelError;
}

describe("a box", () => {
  test("of a turn's context names the turn, its run, its receipt and the agent behind each origin", async () => {
    const sheet = await readBoxSheet(kernel, { project_id, box_id: child.context_box_id });
    expect(sheet).toMatchObject({ kind: "context", turn_count: 1, run: { number: 1, source: "launch" } });
    expect(sheet.turns[0]).toMatchObject({ agent_turn_id: child.agent_turn_id, use: "context", is_human: false });
    const inherited = sheet.origins.find((entry) => entry.origin === `box:${boss.turn.output_box_id}`);
    expect(inherited).toMatchObject({ headcode: boss.turn.headcode, cards: 3 });
    expect(sheet.origins.reduce((sum, entry) => sum + entry.cards, 0)).toBe(sheet.length);
    expect(sheet.receipt?.included_cards).toBe(sheet.length);
  });

  test("of a turn's output has a cursor, and frames after it report its growth", async () => {
    const box_id = boss.turn.output_box_id ?? "";
    const sheet = await readBoxSheet(kernel, { project_id, box_id });
    expect(sheet.turns[0]).toMatchObject({ agent_turn_id: boss.agent_turn_id, use: "output", status: "running" });
    await appendOutput(kernel, {
      ...boss,
      cards: [{ type: "agent.thought", content: "more", author_id: boss.agent_id }],
    });
    await untilVisible(kernel);
    const tail = await tailJournal(kernel, { project_id, after: parseCursor(project_id, sheet.cursor) });
    const growth = tail.frames
      .map((f) => f.frame)
      .filter((f) => f.kind === "box" && f.id === box_id && f.rev > sheet.rev);
    expect(growth).toMatchObject([{ length: sheet.length + 1 }]);
  });

  test("of another project and an unknown one get the same answer", async () => {
    const foreign = await refusal(readBoxSheet(kernel, { project_id: "other", box_id: child.context_box_id }));
    const missing = await refusal(readBoxSheet(kernel, { project_id: "other", box_id: "none" }));
    expect([foreign.code, missing.code]).toEqual(["not_found", "not_found"]);
  });

  test("in the list says whose it is, also when only the turn names it", async () => {
    const { items } = await listBoxHits(kernel, { project_id, limit: 50 });
    const given = items.find((box) => box.box_id === child.context_box_id);
    expect(given).toMatchObject({ kind: "context", owner_profile_name: "Helper", run_number: 1 });
    const first = await listBoxHits(kernel, { project_id, limit: 2 });
    const rest = await listBoxHits(kernel, { project_id, limit: 50, cursor: first.next_cursor });
    expect([...first.items, ...rest.items].map((box) => box.box_id)).toEqual(items.map((box) => box.box_id));
    const others = await listBoxHits(kernel, { project_id, limit: 50, without: ["context", "profile"] });
    expect(others.items.map((box) => box.box_id)).toEqual(
      items.filter((box) => box.kind !== "context" && box.kind !== "profile").map((box) => box.box_id),
    );
    expect((await refusal(listBoxHits(kernel, { project_id: "none" }))).code).toBe("not_found");
  });

  test("in the list never has the name of another project's turn with the same id", async () => {
    const before = await listBoxHits(kernel, { project_id, limit: 50 });
    // Whatever the order of the rows, one of the two is last.
    for (const twin of ["a_twin", "z_twin"]) await copyTurns(twin);
    expect(await listBoxHits(kernel, { project_id, limit: 50 })).toEqual(before);
    expect(before.items.some((box) => box.owner_title !== undefined)).toBe(true);
  });
});

/** Ids are a project's own: another may have the same ones. */
async function copyTurns(twin: string): Promise<void> {
  await seedProject(kernel, twin);
  const client = await kernel.test.pool.connect();
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  for (const table of ["state.agent_turns", "state.runs"])
    await client.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, $2)).* FROM ${table} t WHERE project_id = $1`,
      [project_id, { project_id: twin, title: "foreign", ...(table === "state.agent_turns" && { headcode: "9X99" }) }],
    );
  await client.query("COMMIT");
  client.release();
}

describe("a card", () => {
  test("names its writer; a result names its call and a call its result", async () => {
    const [thought, call, result] = await Promise.all(
      ["thought", "call", "result"].map((card_id) => readCardSheet(kernel, { project_id, card_id })),
    );
    expect(thought?.written_by).toMatchObject({ agent_turn_id: boss.agent_turn_id, headcode: boss.turn.headcode });
    expect(thought?.answers).toBeUndefined();
    expect(call?.answers).toEqual({ card_id: "result", type: "tool.result" });
    expect(result?.answers).toEqual({ card_id: "call", type: "tool.call" });
    expect((await refusal(readCardSheet(kernel, { project_id: "other", card_id: "call" }))).code).toBe("not_found");
  });

  test("that an import marks as the mistake says why", async () => {
    await withUnit(kernel, (unit) =>
      unit.query("test_mark", `UPDATE state.agent_turns SET mark = $3 WHERE project_id = $1 AND agent_turn_id = $2`, [
        project_id,
        boss.agent_turn_id,
        { kind: "mistake", card_id: "thought", reason: "it asked the wrong one" },
      ]),
    );
    const marks = [{ card_id: "thought", reason: "it asked the wrong one" }];
    expect((await readCardSheet(kernel, { project_id, card_id: "thought" })).marks).toMatchObject(marks);
    expect((await readCardSheet(kernel, { project_id, card_id: "call" })).marks).toEqual([]);
    const box_id = boss.turn.output_box_id ?? "";
    expect((await readBoxSheet(kernel, { project_id, box_id })).marks).toMatchObject(marks);
  });

  test("was seen by its writer and by everyone it was handed to, with the place in each box", async () => {
    const seen = await readCardSightings(kernel, { project_id, card_id: "call" });
    expect(seen).toMatchObject({ box_count: 2, turn_count: 2, agent_count: 2, request_count: 0 });
    expect(seen.boxes.map((place) => [place.box_id, place.position, place.headcode]).toSorted()).toEqual(
      [
        [boss.turn.output_box_id, 1, boss.turn.headcode],
        [child.context_box_id, 1, seen.turns.find((t) => t.agent_turn_id === child.agent_turn_id)?.headcode],
      ].toSorted(),
    );
    expect(Object.fromEntries(seen.turns.map((turn) => [turn.agent_turn_id, turn.as]))).toEqual({
      [boss.agent_turn_id]: ["output"],
      [child.agent_turn_id]: ["context"],
    });
  });

  test("in the list is its first words, found by a word of it", async () => {
    const { items } = await listCardLines(kernel, { project_id, limit: 50, q: "iron-air" });
    expect(items.map((line) => [line.type, line.title])).toEqual([
      // The root's text is handed over with the delegation, so it is found there too.
      ["meta.delegation_context", "Called by Boss"],
      ["agent.thought", "Plan ask the helper about iron-air batteries"],
    ]);
  });
});

describe("an agent", () => {
  test("in the list says what it does, how often it ran, and who made it", async () => {
    const { items, live_cursor } = await listAgentLines(kernel, { project_id, limit: 50 });
    const line = items.find((agent) => agent.agent_id === child.agent_id);
    expect(line).toMatchObject({ turn_count: 1, owner_agent_id: boss.agent_id, owner_profile_name: "Boss" });
    expect(line?.active_turn).toMatchObject({ agent_turn_id: child.agent_turn_id, status: "dispatched" });
    expect(() => parseCursor(project_id, live_cursor)).not.toThrow();
  });

  test("is found by words of its name, profile or target; a percent sign is an ordinary character", async () => {
    const found = async (words: string) =>
      (await listAgentLines(kernel, { project_id, limit: 50, words })).items.map((agent) => agent.profile_name);
    expect(await found("helper")).toEqual(["Helper"]);
    expect(await found("%")).toEqual([]);
    expect(await found("worker_generic")).toEqual(["Helper", "Boss"]);
  });

  test("comes in pages without a gap", async () => {
    const all = (await listAgentLines(kernel, { project_id, limit: 50 })).items.map((agent) => agent.agent_id);
    const seen: string[] = [];
    for (let after: string | undefined, rounds = 0; rounds < 9; rounds++) {
      const page = await listAgentLines(kernel, { project_id, limit: 1, after_agent_id: after });
      seen.push(...page.items.map((agent) => agent.agent_id));
      after = page.next_cursor;
      if (after === undefined) break;
    }
    expect(seen).toEqual(all);
  });

  test("by itself shows who made it and whom it made", async () => {
    const { identity_edges, identity_edge_count } = await readAgentSheet(kernel, {
      project_id,
      agent_id: boss.agent_id,
    });
    expect(identity_edge_count).toBe(2);
    expect(identity_edges).toMatchObject([
      { action: "provision", target_agent_id: boss.agent_id },
      {
        action: "provision",
        source_agent_id: boss.agent_id,
        target_agent_id: child.agent_id,
        target_profile_name: "Helper",
      },
    ]);
    expect((await refusal(readAgentSheet(kernel, { project_id: "other", agent_id: boss.agent_id }))).code).toBe(
      "not_found",
    );
  });
});
