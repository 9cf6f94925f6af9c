import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createKernel, type Kernel } from "../kernel";
import { listCardLines } from "./list-card-lines";
import { readProjectContents } from "./read-project-contents";
import { searchProject } from "./search-project";

let database: TestDatabase;
let kernel: Kernel;

beforeAll(async () => {
  database = await openTestDatabase();
  kernel = createKernel({ db: database.db, doorbell: createMemoryDoorbell() });
  await database.pool.query(ROWS);
});
afterAll(() => database.close());

const search = (query: string, more: Partial<Parameters<typeof searchProject>[1]> = {}) =>
  searchProject(kernel, {
    project_id: "p1",
    query,
    kinds: ["turn", "run", "box", "card", "agent", "profile"],
    limit: 8,
    ...more,
  });

test("a headcode finds its turn first, and words of title, profile and status narrow", async () => {
  const byCode = await search("1a01");
  expect(byCode.turns.map((t) => t.headcode)).toEqual(["1A01"]);
  expect(byCode.turns[0]).toMatchObject({
    run_number: 7,
    status: "failed",
    is_human: false,
    error_code: "tool_timeout",
  });
  expect((await search("failed")).turns.map((t) => t.agent_turn_id)).toEqual(["t2"]);
  expect((await search("iron planner")).turns).toEqual([]);
  expect((await search("t2")).turns[0]?.agent_turn_id).toBe("t2");
});

test("of two turns with one headcode that of the run that is open comes first", async () => {
  const turns = async (query: string, near_turn?: string) =>
    (await search(query, { near_turn, kinds: ["turn"], project_id: "p3" })).turns.map((turn) => turn.agent_turn_id);
  expect(await turns("1a01")).toEqual(["f2", "o2"]);
  expect(await turns("1A01", "o1")).toEqual(["o2", "f2"]);
  expect(await turns("1A01", "o2")).toEqual(["o2", "f2"]);
  expect(await turns("1a", "o2")).toEqual(["o2", "f2"]);
  expect(await turns("gone", "o2")).toEqual([]);
  expect(await turns("1a01", "t2")).toEqual(["f2", "o2"]);
  expect(await turns("f2", "o1")).toEqual(["f2"]);
  expect((await search("1a01", { near_turn: "o1", kinds: ["turn"], project_id: "p3", limit: 1 })).turns).toMatchObject([
    { agent_turn_id: "o2", run_number: 1 },
  ]);
});

test("a box is found by its plate, its type and its turn; request boxes only when they are named", async () => {
  expect((await search("4e7a")).boxes.map((b) => b.box_id)).toEqual(["000000004e7a"]);
  expect((await search("4E7A")).boxes[0]).toMatchObject({ owner_headcode: "1A01", run_number: 7, length: 2 });
  expect((await search("")).boxes.map((b) => b.kind)).not.toContain("request");
  expect((await search("request")).boxes.map((b) => b.box_id)).toEqual(["00000000beef"]);
  expect((await search("beef")).boxes.map((b) => b.box_id)).toEqual(["00000000beef"]);
});

test("a box that belongs to no turn is told by how its first card begins", async () => {
  const [box] = (await search("", { project_id: "p2" })).boxes;
  expect(box).toMatchObject({ box_id: "box_two", opening: "House style: short sentences." });
  expect((await search("4e7a")).boxes[0]).not.toHaveProperty("opening");
});

test("a card is found by its words, indexed or not yet, and shows the hit and its box", async () => {
  const indexed = await search("download fail");
  expect(indexed.cards.map((c) => c.card_id)).toEqual(["c_old"]);
  expect(indexed.cards[0]?.excerpt).toContain("download failed after 60 s");
  expect(indexed.cards[0]?.box_id).toBe("000000004e7a");
  expect((await search("gravity")).cards.map((c) => c.card_id)).toEqual(["c_fresh"]);
  expect((await search("c_old")).cards[0]?.card_id).toBe("c_old");
  expect((await search("zzz")).cards).toEqual([]);
  expect((await search("prompt")).cards).toEqual([]);
  expect((await search("sys.rendered_prompt")).cards.map((c) => c.card_id)).toEqual(["c_prompt"]);
  const far = await search("needle");
  expect(far.cards[0]?.excerpt).toMatch(/^…hay hay (hay )+the needle/);
});

test("a list of cards that was searched shows the hit, unless the title does", async () => {
  await database.pool.query(`
    INSERT INTO projects (project_id, title) VALUES ('hits', 'Hits');
    INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at) VALUES
      ('hits', 'deep', jsonb_build_object('kind', 'text', 'text', repeat('straw ', 100) || 'the pearl'),
        '{"type": "task.context", "role": "user"}', 'h', 10, now()),
      ('hits', 'near', '{"kind": "text", "text": "Pearl storage"}', '{"type": "task.context", "role": "user"}', 'h', 10,
        now() - interval '1 minute')`);
  const lines = async (q?: string) =>
    (await listCardLines(kernel, { project_id: "hits", q })).items.map(({ title, excerpt }) => [
      title.slice(0, 5),
      excerpt,
    ]);
  expect(await lines("pearl")).toEqual([
    ["straw", expect.stringMatching(/^…(?:straw )+the pearl$/)],
    ["Pearl", undefined],
  ]);
  expect(await lines()).toEqual([
    ["straw", undefined],
    ["Pearl", undefined],
  ]);
});

test("agents and profiles say how many workers take their turns; people are not among them", async () => {
  const all = await search("");
  expect(all.agents.map((a) => a.agent_id)).toEqual(["iron_1"]);
  expect(all.agents[0]).toMatchObject({ head_status: "idle", worker_count: 1, turn_count: 1 });
  expect(all.profiles.map((p) => [p.name, p.worker_count])).toEqual([
    ["Iron", 1],
    ["Offline", 0],
  ]);
});

test("nothing crosses projects, a percent sign is an ordinary character, and limits are reported", async () => {
  expect(await search("1A01", { project_id: "p2" })).toMatchObject({ turns: [], boxes: [], cards: [] });
  expect((await search("%")).turns).toEqual([]);
  expect((await search("100%_\\")).cards).toEqual([]);
  const one = await search("", { limit: 1, kinds: ["profile"] });
  expect(one.profiles).toHaveLength(1);
  expect(one.more).toEqual(["profile"]);
  expect(one.turns).toEqual([]);
});

test("the contents of a project do not include people's own turns and agents", async () => {
  expect(await readProjectContents(kernel, "p1")).toEqual({
    runs: 7,
    turns: 1,
    running: 0,
    agents: 1,
    profiles: 2,
    plans: 0,
    boxes: 5,
    cards: 4,
  });
  await expect(readProjectContents(kernel, "nowhere")).rejects.toMatchObject({ code: "not_found" });
});

const ROWS = `
  INSERT INTO projects (project_id, title, run_count) VALUES ('p1', 'One', 7), ('p2', 'Two', 0), ('p3', 'Three', 2);
  INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist, owner_turn_id) VALUES
    ('p1', '000000004e7a', 'context', 2, 30, 'U10 A20', NULL), ('p1', '00000000beef', 'request', 2, 30, 'U30', 't2'),
    ('p1', 'box_profile', 'profile', 1, 5, 'S5', NULL), ('p1', 'box_human', 'context', 1, 5, 'U5', 't1'),
    ('p1', 'box_output', 'output', 0, 0, '', 't2'), ('p2', 'box_two', 'context', 1, 1, 'U1', NULL);
  INSERT INTO resource.profiles (project_id, profile_box_id, name, worker_target) VALUES
    ('p1', 'box_profile', 'Iron', 'worker_generic'), ('p1', 'box_human', 'sys.human', 'human'),
    ('p1', 'box_output', 'Offline', 'nobody');
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target) VALUES
    ('p1', 'iron_1', 'box_profile', 'Iron', 'worker_generic'), ('p1', 'human_local', 'box_human', 'sys.human', 'human');
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source) VALUES ('p1', 't1', 7, 'Storage', 'launch');
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, status, root_turn_id, primitive, depth, trace_id,
      profile_box_id, profile_name, worker_target, context_box_id, output_box_id, headcode, title, window_tokens,
      deliverable_card_id, ended_at, error_code) VALUES
    ('p1', 't1', 'human_local', 'success', 't1', 'ui_action', 0, 'x', 'box_human', 'sys.human', 'human', 'box_human',
      'box_human', '0H01', 'Which storage', 1000, 'd', now(), NULL),
    ('p1', 't2', 'iron_1', 'failed', 't1', 'delegate_async', 1, 'x', 'box_profile', 'Iron', 'worker_generic',
      '000000004e7a', 'box_output', '1A01', 'Cost of iron-air', 1000, 'd', now(), 'tool_timeout');
  INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist) VALUES ('p3', 'box_three', 'context', 0, 0, '');
  INSERT INTO resource.profiles (project_id, profile_box_id, name, worker_target) VALUES ('p3', 'box_three', 'Iron', 'nobody');
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target) VALUES
    ('p3', 'iron_3', 'box_three', 'Iron', 'nobody');
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source) VALUES ('p3', 'o1', 1, 'Old', 'launch'), ('p3', 'f1', 2, 'Fork', 'launch');
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, status, root_turn_id, primitive, depth, trace_id, profile_box_id,
      profile_name, worker_target, context_box_id, output_box_id, headcode, title, deliverable_card_id, created_at, ended_at)
    SELECT 'p3', v.id, 'iron_3', 'success', v.root, 'delegate_async', 1, 'x', 'box_three', 'Iron', 'nobody', 'box_three', 'box_three', v.code,
      'Cost', 'd', now() - v.age * interval '1 hour', now()
    FROM (VALUES ('o1', 'o1', '0H01', 4), ('o2', 'o1', '1A01', 3), ('f1', 'f1', '0H01', 2), ('f2', 'f1', '1A01', 1)) AS v(id, root, code, age);
  INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at) VALUES
    ('p1', 'c_old', '{"kind": "tool_result", "status": "failed", "error": {"code": "x", "message": "the download failed after 60 s"}}',
      '{"type": "tool.result", "role": "tool"}', 'h', 10, now() - interval '1 day'),
    ('p1', 'c_far', jsonb_build_object('kind', 'text', 'text', repeat('hay ', 50) || 'the needle'),
      '{"type": "task.context", "role": "user"}', 'h', 10, now() - interval '2 days'),
    ('p1', 'c_prompt', '{"kind": "text", "text": "the prompt of Gravity"}', '{"type": "sys.rendered_prompt", "role": "system"}',
      'h', 10, now() - interval '1 hour'),
    ('p2', 'c_two', '{"kind": "text", "text": "House style:\\nshort   sentences."}', '{"type": "context.pack", "role": "user"}', 'h', 1, now()),
    ('p1', 'c_fresh', '{"kind": "text", "text": "Gravity storage"}', '{"type": "task.instruction", "role": "user"}', 'h', 20, now());
  INSERT INTO card_search (tenant_id, card_id, body, created_at) VALUES
    ('p1', 'c_old', to_tsvector('simple', 'the download failed after 60 s'), now() - interval '1 day');
  INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens) VALUES
    ('p1', '000000004e7a', 0, 0, ARRAY['c_old', 'c_fresh'], '[[2, "card"]]', 30),
    ('p2', 'box_two', 0, 0, ARRAY['c_two'], '[[1, "card"]]', 1);
  INSERT INTO state.workers (worker_id, targets, version) VALUES ('w1', ARRAY['worker_generic'], '0');`;
