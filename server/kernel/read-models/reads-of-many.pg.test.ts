// Lists that look at a limited number of rows still list every row once, and who saw a card or some words is counted against what
// the boxes hold.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKS_LOOKED_AT } from "@/server/contract/pack-list";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { seedId, seedMany } from "@/server/testing/seed/seed-many";
import { countStatements } from "@/server/testing/statements";
import { listCards } from "../cardbox/list-cards";
import { readSightings } from "../cardbox/read-sightings";
import { findPack } from "../packs/find-packs";
import { listPacks } from "../packs/read-packs";
import { createProject } from "../roster/create-project";
import { listAgents } from "../roster/read-agents";
import { hasHeld, hasSeen, heldCards, sawCards } from "../search/key-sets";
import { search } from "../search/search";
import { listAlarms } from "./list-alarms";
import { listExecutionEdges } from "./list-execution-edges";
import { listIdentityEdges } from "./list-identity-edges";
import { listTurns } from "./list-turns";
import { readSawText } from "./read-saw-text";
import { searchProject } from "./search-project";

const P = "many";
const id = (kind: Parameters<typeof seedId>[1], i: number) => seedId(P, kind, i);
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  const client = new pg.Client(kernel.test.url);
  await client.connect();
  await createProject(kernel, { project_id: P, title: P });
  await seedMany(kernel, client, { project_id: P, turns: 2_500 });
  await client.end();
}, 60_000);
afterAll(() => kernel.close());

const rowsOf = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await kernel.db.pool.query<T>(text, [P, ...values])).rows;

async function all<T>(page: (cursor?: string) => Promise<{ items: T[]; next_cursor?: string }>) {
  const items: T[] = [];
  let pages = 0;
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const found = await page(cursor);
    items.push(...found.items);
    cursor = found.next_cursor;
    pages++;
  }
  return { items, pages };
}

describe("a list with a filter that has no index", () => {
  test("goes on behind the rows it has looked at, also from a page without any, and lists each row once", async () => {
    const { items, pages } = await all((cursor) =>
      listCards(kernel, { project_id: P, author_id: "human_ann", limit: 50, cursor }),
    );
    const expected = await rowsOf<{ card_id: string }>(
      "SELECT card_id FROM cards WHERE tenant_id = $1 AND metadata ->> 'author_id' = 'human_ann' ORDER BY created_at DESC, card_id DESC",
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(items.map(({ card_id }) => card_id)).toEqual(expected.map(({ card_id }) => card_id));
    expect(pages).toBeGreaterThan(10);
  });

  test("of turns by status, of agents by profile and of edges by phase, all are listed", async () => {
    const count = async (text: string) => (await rowsOf<{ n: number }>(`SELECT count(*)::int AS n FROM ${text}`))[0]?.n;
    const turns = await all((cursor) => listTurns(kernel, { project_id: P, status: "failed", limit: 20, cursor }));
    expect(turns.items.length).toBe(await count("state.agent_turns WHERE project_id = $1 AND status = 'failed'"));
    const agents = await all((cursor) =>
      listAgents(kernel, { project_id: P, profile_name: "Worker", limit: 100, after_agent_id: cursor }),
    );
    expect(agents.items.length).toBe(
      await count("resource.project_agents WHERE project_id = $1 AND profile_name = 'Worker'"),
    );
    const edges = await all((cursor) =>
      listExecutionEdges(kernel, { project_id: P, primitive: "report", limit: 200, cursor }),
    );
    expect(new Set(edges.items.map(({ edge_id }) => edge_id)).size).toBe(
      await count("state.execution_edges WHERE project_id = $1 AND primitive = 'report'"),
    );
  });

  test("edges are listed as the views tell them, each once, whoever tells it", async () => {
    await rowsOf(
      `INSERT INTO state.identity_extra (project_id, edge_id, action, source_agent_id, target_agent_id, created_at)
       SELECT $1, 'edge_u' || n, 'update', $2, $2, now() - n * interval '1 hour' FROM generate_series(1, 5) n`,
      [id("agent_", 1)],
    );
    const told = async (view: string, order: string, of = "true") =>
      (
        await rowsOf<{ edge: Record<string, unknown> }>(
          `SELECT jsonb_strip_nulls(to_jsonb(e) - 'project_id' - 'client_call_key' - 'created_at') AS edge FROM ${view} e
         WHERE e.project_id = $1 AND ${of} ORDER BY ${order}`,
        )
      ).map(({ edge }) => edge);
    const listed = (items: { created_at: unknown }[]) => items.map(({ created_at: _at, ...edge }) => edge);
    const calls = async (more: object, limit = 200) =>
      listed((await all((cursor) => listExecutionEdges(kernel, { project_id: P, limit, cursor, ...more }))).items);
    const made = async (more: object, limit = 200) =>
      listed((await all((cursor) => listIdentityEdges(kernel, { project_id: P, limit, cursor, ...more }))).items);
    const everything = await told("state.execution_edges", "edge_id DESC");
    expect(new Set(everything.map(({ primitive, edge_phase }) => `${primitive} ${edge_phase}`)).size).toBe(5);
    expect(await calls({})).toEqual(everything);
    expect(await calls({}, 90)).toEqual(everything);
    const turn = id("turn_", 1);
    const ofTurn = `'${turn}' IN (e.source_turn_id, e.target_turn_id)`;
    expect((await calls({ agent_turn_id: turn }, 3)).length).toBeGreaterThan(10);
    expect(await calls({ agent_turn_id: turn }, 3)).toEqual(
      await told("state.execution_edges", "edge_id DESC", ofTurn),
    );
    expect(await calls({ primitive: "join", edge_phase: "response" }, 3)).toEqual(
      await told("state.execution_edges", "edge_id DESC", "primitive = 'join' AND edge_phase = 'response'"),
    );
    expect(await calls({ trace_id: "trace_0" })).toEqual(
      await told("state.execution_edges", "edge_id DESC", "trace_id = 'trace_0'"),
    );
    expect(await made({})).toEqual(await told("state.identity_edges", "created_at DESC, edge_id DESC"));
    const ofAgent = `'${id("agent_", 1)}' IN (e.source_agent_id, e.target_agent_id)`;
    expect(await made({ agent_id: id("agent_", 1) }, 3)).toEqual(
      await told("state.identity_edges", "created_at DESC, edge_id DESC", ofAgent),
    );
  });

  test("a page of it takes two statements more at most than one without the filter, whatever there is", async () => {
    const statements = (author_id?: string) =>
      countStatements(kernel, (counting) => listCards(counting, { project_id: P, author_id, limit: 50 }));
    expect(await statements()).toBe(1);
    expect(await statements("human_ann")).toBe(2);
    expect(await statements("nobody")).toBe(2);
  });
});

test("the palette finds old turns by id and headcode, and says of which kinds it looked at the newest alone", async () => {
  const ask = (query: string) =>
    searchProject(kernel, { project_id: P, query, kinds: ["turn", "run", "profile"], limit: 8 });
  expect((await ask(id("turn_", 3))).turns[0]?.agent_turn_id).toBe(id("turn_", 3));
  expect(await ask("thing 3")).toMatchObject({ partial: ["turn"], looked_at: 1_000 });
  expect((await ask("")).partial).toEqual([]);
});

test("words of packs are looked for in the newest, which is said, and a number among all of them", async () => {
  const find = (q: string, cursor?: string) => listPacks(kernel, { project_id: P, q, limit: 50, cursor });
  const packs = await rowsOf<{ sha256: string; goal: string }>(
    "SELECT sha256, goal FROM resource.context_packs WHERE project_id = $1 ORDER BY created_at DESC, sha256 DESC",
  );
  expect(packs.length).toBeGreaterThan(PACKS_LOOKED_AT);
  const oldest = packs.at(-1) ?? { sha256: "", goal: "" };
  const first = await find(oldest.goal);
  expect(first).toMatchObject({ items: [], is_partial: true, looked_at: PACKS_LOOKED_AT });
  const rest = await find(oldest.goal, first.next_cursor);
  expect(rest).toEqual({ items: [expect.objectContaining({ sha256: oldest.sha256 })] });
  // Its own page of the list is full, so older ones that fit follow with a cursor and nothing was left out.
  const walked = await all((cursor) => find("choose", cursor));
  expect(walked.items.map(({ sha256 }) => sha256)).toEqual(packs.map(({ sha256 }) => sha256));

  const digits = oldest.sha256.slice(0, 12);
  const numbered = await all((cursor) => find(digits, cursor));
  expect(numbered.items.map(({ sha256 }) => sha256)).toEqual([oldest.sha256]);
  const begins = packs.filter(({ sha256 }) => sha256.startsWith(oldest.sha256.slice(0, 4)));
  const one = await listPacks(kernel, { project_id: P, q: `P-${oldest.sha256.slice(0, 4)}`, limit: 1 });
  expect(one.items[0]?.sha256).toBe(begins[0]?.sha256);
  expect((await findPack(kernel, { project_id: P, pack: oldest.sha256 })).sha256).toBe(oldest.sha256);
});

test("figures without an index are looked for in the newest 2,000 turns or boxes, and in all turns of a run", async () => {
  const find = async (kind: "turn" | "box", q: string, cursor?: string) => {
    const asked = { project_id: P, q, kind, limit: 20, facets: false, cursor };
    const [group] = (await search(kernel, asked)).groups;
    if (!group) throw new Error(`no group of ${kind}`);
    return group;
  };
  const first = await find("turn", "cost:>1k");
  expect(first).toMatchObject({ items: [], is_partial: true, looked_at: 2_000 });
  expect(await find("turn", "cost:>1k", first.next_cursor)).toMatchObject({ items: [], is_partial: false });
  expect(await find("turn", "run:1 cost:>1k")).toMatchObject({ items: [], is_partial: false });
  expect(await find("box", "tokens:>1M")).toMatchObject({ items: [], is_partial: true, looked_at: 2_000 });
});

describe("who saw a card", () => {
  const hot = id("card_", 5);
  const chunks = "SELECT box_id FROM card_box_chunks WHERE tenant_id = $1 AND card_ids && $2::text[]";

  test("its places are all counted, and rows say that it is the card itself", async () => {
    const seen = await readSightings(kernel, { project_id: P, card_id: hot });
    expect(seen.boxes_total).toBe((await rowsOf(chunks, [[hot]])).length);
    expect(seen.looked_at).toBeUndefined();
    expect(new Set(seen.boxes.map(({ why }) => why))).toEqual(new Set(["card"]));
    expect(seen.turns.length).toBeGreaterThan(400);
  });

  test("cards with the same words and copies count where they are asked for, each with its reason", async () => {
    await kernel.db.pool.query(
      `INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at)
         SELECT $1, v.id, c.content, c.metadata || v.more::jsonb, CASE v.id WHEN 'twin' THEN c.content_hash ELSE 'other' END, 1, now()
         FROM cards c, (VALUES ('twin', '{}'), ('copied', jsonb_build_object('redacted_from', $2::text)::text),
           ('edited', jsonb_build_object('replaces', $2::text)::text)) v(id, more)
         WHERE c.tenant_id = $1 AND c.card_id = $2`,
      [P, id("card_", 1_238)],
    );
    for (const [box, card] of [
      ["in_", "twin"],
      ["in_", "copied"],
    ] as const)
      await kernel.db.pool.query(
        `UPDATE card_boxes SET tail = tail || $3::text, carried = carried || $3::text, tail_origins = tail_origins || '[[1, "given"]]',
           length = length + 1 WHERE tenant_id = $1 AND box_id = $2`,
        [P, id(box, card === "twin" ? 300 : 301), card],
      );
    const card_id = id("card_", 1_238);
    const why = async (include: ("same_words" | "copies")[], of = card_id) => {
      const seen = await readSightings(kernel, { project_id: P, card_id: of, include });
      const turns = seen.turns.flatMap((turn) => (turn.why.includes("card") ? [] : [[turn.agent_turn_id, turn.why]]));
      return {
        cards: seen.cards
          .slice(1)
          .map((one) => [one.card_id, one.why])
          .sort(),
        turns,
      };
    };
    expect(await why([])).toEqual({ cards: [], turns: [] });
    expect(await why(["same_words"])).toEqual({
      cards: [["twin", "same_words"]],
      turns: [[id("turn_", 300), ["same_words"]]],
    });
    const copies = await why(["copies"]);
    expect(copies.cards).toEqual([
      ["copied", "copy"],
      ["edited", "copy"],
    ]);
    expect(copies.turns).toEqual([[id("turn_", 301), ["copy"]]]);
    expect((await why(["copies"], "copied")).cards).toEqual([[card_id, "original"]]);
  });
});

describe("who saw these words", () => {
  const root = id("turn_", 1_000);
  const ask = (text: string, root_turn_id = root) => readSawText(kernel, { project_id: P, root_turn_id, text });

  test("white space is folded and case is kept; the turns are those whose boxes hold a card with them", async () => {
    const [one] = await rowsOf<{ text: string }>(
      "SELECT content ->> 'text' AS text FROM cards WHERE tenant_id = $1 AND card_id = $2",
      [id("card_", 12_345)],
    );
    const text = one?.text ?? "";
    expect(text).toContain("\n");
    const found = await ask(`  ${text.replace(/\s+/g, "   ")} `);
    expect(found.cards.map(({ card_id }) => card_id)).toEqual([id("card_", 12_345)]);
    expect(found.turns).toEqual([
      expect.objectContaining({ agent_turn_id: id("turn_", 1_234), as: ["output", "request"], cards: 1 }),
    ]);
    expect((await ask(text.toUpperCase())).cards_total).toBe(0);
    expect(found).toMatchObject({ is_partial: false, text: text.replace(/\s+/g, " ") });
  });

  test("common words are in every turn of the run, and in no turn of another", async () => {
    const found = await ask("the report about");
    expect(found.turns.length).toBe(1_000);
    expect(found.cards).toHaveLength(200);
    expect(found.cards_total).toBeGreaterThan(5_000);
    expect(found.turns.map((turn) => turn.agent_turn_id)).not.toContain(id("turn_", 999));
  });

  test("an unknown run is not found, and one of another project neither", async () => {
    await expect(ask("the report", id("turn_", 7))).rejects.toMatchObject({ code: "not_found" });
    await expect(
      readSawText(kernel, { project_id: "other", root_turn_id: root, text: "the report" }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

test("of a rule with more than a thousand alarms each is listed once, and the counts say that there are more", async () => {
  await kernel.db.pool.query(
    `INSERT INTO state.alarms (project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures, found_at)
     SELECT $1, 'alarm_many_' || i, 'loop', 'turn', 'many_' || i, $2, $2, '{}', now() - i * interval '1 minute' FROM generate_series(1, 1200) i`,
    [P, id("turn_", 0)],
  );
  await kernel.db.pool.query(
    `INSERT INTO state.alarm_mutes (project_id, rule, alarm_id, scope, person, reason, muted_at, is_muted)
     VALUES ($1, 'loop', 'alarm_many_1150', 'this', 'ann', 'known', now(), true)`,
    [P],
  );
  const ask = (more: object) => all((cursor) => listAlarms(kernel, { project_id: P, limit: 100, cursor, ...more }));
  const loops = await ask({ rule: "loop" });
  expect(new Set(loops.items.map(({ alarm_id }) => alarm_id)).size).toBe(1_200);
  expect(loops.items).toHaveLength(1_200);
  expect((await ask({ rule: "loop", muted: "true" })).items.map(({ alarm_id }) => alarm_id)).toEqual([
    "alarm_many_1150",
  ]);
  const { counts } = await listAlarms(kernel, { project_id: P, limit: 1 });
  expect(counts.find(({ rule }) => rule === "loop")).toEqual({ rule: "loop", active: 1_001, muted: 1 });
  const [few] = await rowsOf<{ n: number }>(
    "SELECT count(*)::int AS n FROM state.alarms WHERE project_id = $1 AND rule = 'pressure'",
  );
  const pressure = await listAlarms(kernel, { project_id: P, limit: 200, rule: "pressure", muted: "false" });
  expect(pressure.items).toHaveLength(few?.n ?? 0);
  expect(pressure.next_cursor).toBeUndefined();
});

describe("a card in thousands of boxes", () => {
  /** A card of the hundredth turn, which is not among the newest 2,000. */
  const everywhere = id("card_", 1_001);
  const [sent, given, kept] = [id("turn_", 2_300), id("turn_", 2_301), id("turn_", 2_302)];

  beforeAll(async () => {
    const { pool } = kernel.db;
    await pool.query(
      `INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist, created_at, tail, carried, tail_origins, tail_tokens)
       SELECT $1, 'extra_' || i, 'plain', 1, 1, 'U1', now() - interval '1 year', ARRAY[$2::text], ARRAY[$2::text], '[[1, "given"]]', 1
       FROM generate_series(1, 5001) i`,
      [P, everywhere],
    );
    await pool.query(
      `UPDATE card_boxes SET tail = $2::text || tail, carried = $2::text || carried, tail_origins = '[[1, "given"]]' || tail_origins,
         length = length + 1 WHERE tenant_id = $1 AND box_id = ANY ($3)`,
      [P, everywhere, [id("req_", 2_300), id("in_", 2_301), id("out_", 2_302)]],
    );
    // Stored behind the others, as a request of today would be.
    const columns =
      "tenant_id, box_id, kind, owner_turn_id, length, token_sum, tail, carried, tail_origins, tail_tokens";
    await pool.query(
      `WITH gone AS (DELETE FROM card_boxes WHERE tenant_id = $1 AND box_id = $2 RETURNING ${columns})
       INSERT INTO card_boxes (${columns}) SELECT ${columns} FROM gone`,
      [P, id("req_", 2_300)],
    );
    // What another turn wrote into an output box is held by those that began behind it.
    await pool.query("UPDATE state.agent_turns SET output_start = 1 WHERE project_id = $1 AND agent_turn_id = $2", [
      P,
      kept,
    ]);
  });

  const ask = async (q: string, cursor?: string) => {
    const { groups } = await search(kernel, { project_id: P, q, kind: "turn", limit: 50, facets: false, cursor });
    const [group] = groups;
    return {
      is_partial: group?.is_partial,
      looked_at: group?.looked_at,
      next_cursor: group?.next_cursor,
      ids: group?.kind === "turn" ? group.items.map(({ agent_turn_id }) => agent_turn_id) : [],
    };
  };

  test("is looked for turn by turn, as far as the answer says, and the next page goes on", async () => {
    expect(await ask(`saw:${everywhere}`)).toMatchObject({ ids: [sent], is_partial: true, looked_at: 2_000 });
    const held = await ask(`held:${everywhere}`);
    expect(held).toMatchObject({ ids: [kept, given], is_partial: true });
    expect(await ask(`held:${everywhere}`, held.next_cursor)).toMatchObject({
      ids: [id("turn_", 100)],
      is_partial: false,
    });
    expect((await ask(`saw:${everywhere} -is:failed`)).ids).toEqual([sent]);
  });

  test("of its places the newest are looked at, and all are counted", async () => {
    const seen = await readSightings(kernel, { project_id: P, card_id: everywhere });
    const [all] = await rowsOf<{ n: number }>(
      "SELECT count(*)::int AS n FROM card_box_chunks WHERE tenant_id = $1 AND card_ids && $2::text[]",
      [[everywhere]],
    );
    // One more: the box that it was written for.
    expect(seen).toMatchObject({ boxes_total: all?.n, looked_at: 1_001 });
    expect(seen.turns.map(({ agent_turn_id, as }) => [agent_turn_id, as])).toContainEqual([sent, ["request"]]);
  });

  test("turn by turn finds the same as by its boxes", async () => {
    const pairs = [
      [hasSeen, sawCards],
      [hasHeld, heldCards],
    ] as const;
    for (const [one, all] of pairs)
      for (const i of [5, 1_001, 12_340, 10_000]) {
        const asked = [[id("card_", i)]];
        const found = await rowsOf<{ id: string }>(
          `SELECT t.agent_turn_id AS id FROM state.agent_turns t WHERE t.project_id = $1 AND ${one("$2::text[]")} ORDER BY 1`,
          asked,
        );
        expect(found.length).toBeGreaterThan(0);
        expect(found).toEqual(await rowsOf(`SELECT DISTINCT s.id FROM (${all("$2::text[]")}) s ORDER BY 1`, asked));
      }
  });
});
