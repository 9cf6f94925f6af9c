// The transcript of a run that a worker ran: every card once, in order, by pages that hold it whole.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TranscriptLine } from "@/server/contract/answers/transcript";
import { saidText } from "@/server/contract/said-text";
import { LINE_CHARS_MAX } from "@/server/contract/transcript";
import { ensureDemo } from "@/server/interop/demo/ensure-demo";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { countStatements } from "@/server/testing/statements";
import { inNoTime, startTestWorker } from "@/server/testing/turns";
import { getCard } from "../cardbox/get-cards";
import { readTranscript } from "./read-transcript";
import { readTranscriptHead } from "./read-transcript-head";
import { LINES_BEHIND } from "./transcript-sql";

const P = "demo";
const LIVE = "SELECT count(*)::int AS n FROM state.agent_turns WHERE project_id = $1 AND ended_at IS NULL";
let kernel: TestKernel;
let root: string;

beforeAll(async () => {
  kernel = await openTestKernel();
  await ensureDemo(kernel);
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  await vi.waitFor(
    async () => {
      const [live] = await rowsOf<{ n: number }>(LIVE);
      expect(live?.n).toBe(0);
    },
    { timeout: 40_000, interval: 200 },
  );
  await worker.stop();
  const [run] = await rowsOf<{ root_turn_id: string }>("SELECT root_turn_id FROM state.runs WHERE project_id = $1");
  root = run?.root_turn_id ?? "";
}, 60_000);
afterAll(() => kernel.close());

const rowsOf = async <T extends object>(text: string): Promise<T[]> =>
  (await kernel.db.pool.query<T & Record<string, unknown>>(text, [P])).rows;

const asked = (more: object = {}) => ({ project_id: P, root_turn_id: root, limit: 500, ...more });
const all = async (more: object = {}) => (await readTranscript(kernel, asked(more))).items;

async function byPages(limit: number): Promise<TranscriptLine[]> {
  const lines: TranscriptLine[] = [];
  let cursor: string | undefined;
  do {
    const page = await readTranscript(kernel, asked({ limit, cursor }));
    expect(page.before).toBe(lines.length);
    lines.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return lines;
}

describe("the lines of a run", () => {
  test("every message, call, result and deliverable that a turn wrote is told once", async () => {
    const lines = await all();
    const cards = await rowsOf<{ card_id: string; type: string }>(`
      SELECT c.card_id, c.metadata ->> 'type' AS type FROM cards c JOIN state.agent_turns t ON t.project_id = c.tenant_id
        AND t.agent_turn_id = c.metadata ->> 'agent_turn_id' AND NOT t.is_human
      WHERE c.tenant_id = $1 AND c.metadata ->> 'type' IN ('agent.thought', 'tool.call', 'tool.result', 'task.deliverable') AND c.token_count > 0`);
    const tasks = await rowsOf<{ card_id: string }>(
      "SELECT instruction_card_id AS card_id FROM state.agent_turns WHERE project_id = $1 AND NOT is_human",
    );
    expect(lines.map((line) => line.card_id).sort()).toEqual([...cards, ...tasks].map((card) => card.card_id).sort());
    expect(new Set(lines.map((line) => line.line_id)).size).toBe(lines.length);
    expect(cards.length).toBeGreaterThan(40);
  });

  test("a task comes before what its turn says, a deliverable after, and the caller is told of it afterwards", async () => {
    const lines = await all();
    expect(lines.map((line) => line.at)).toEqual(lines.map((line) => line.at).sort());
    const asks = lines.filter((line) => line.kind === "asked");
    expect(asks).toHaveLength(10);
    for (const ask of asks) {
      const own = lines.filter((line) => line.agent_turn_id === ask.to_turn_id && line.kind !== "asked");
      const ends = own.filter((line) => line.kind === "answered" || line.kind === "failed");
      expect(lines.indexOf(ask)).toBeLessThan(Math.min(...own.map((line) => lines.indexOf(line))));
      expect(ends).toMatchObject([{ from: ask.to, to: ask.from, to_turn_id: ask.agent_turn_id }]);
    }
    const join = lines.findIndex((line) => line.kind === "result" && line.tool_name === "fork_join");
    const branches = lines.flatMap((line, i) =>
      line.tool_name === undefined && line.from?.startsWith("demo-searcher") ? [i] : [],
    );
    expect(join).toBeGreaterThan(Math.max(...branches));
  });

  test("branches of a fork are asked in the order of their tasks", async () => {
    const tasks = await rowsOf<{ id: string; n: number }>(
      "SELECT agent_turn_id AS id, task_index AS n FROM state.agent_turns WHERE project_id = $1 AND task_index IS NOT NULL",
    );
    const order = (await all()).flatMap((line) =>
      line.kind === "asked"
        ? tasks.flatMap((task) => (task.id === line.to_turn_id && line.from?.startsWith("demo-planner") ? task.n : []))
        : [],
    );
    expect(order.slice(-5)).toEqual([0, 1, 2, 3, 4]);
  });

  test("pages of any size hold the same lines", async () => {
    const lines = await all();
    for (const limit of [1, 7, 50]) expect(await byPages(limit)).toEqual(lines);
  });

  test("a page behind another reads the turns that can have lines on it, not the run", async () => {
    const lines = await all();
    const turnsBehind = async (line: TranscriptLine | undefined, limit: number) => {
      const values = [P, root, line?.at, line?.line_id, limit + 1];
      const text = `WITH ${LINES_BEHIND} SELECT (SELECT count(*)::int FROM run) AS n WHERE $4::text IS NOT NULL`;
      return (await kernel.db.pool.query<{ n: number }>(text, values)).rows[0]?.n ?? 0;
    };
    const { total, of } = await readTranscript(kernel, asked({ limit: 1 }));
    expect([total, of]).toEqual([lines.length, lines.length]);
    const turns = await turnsBehind(lines[0], 500);
    expect(await turnsBehind(lines[0], 1)).toBeLessThan(turns);
  });

  test("the text is what the whole card says, cut where it is long", async () => {
    for (const line of await all()) {
      const card = await getCard(kernel, { project_id: P, card_id: line.card_id });
      const whole = saidText(card.content);
      // Postgres writes a blank after the colons and commas of JSON.
      const bare = (text: string) => text.replace(/\s/g, "");
      if (line.letters <= LINE_CHARS_MAX) expect(bare(line.text)).toBe(bare(whole));
      else expect(line.text).toHaveLength(LINE_CHARS_MAX);
    }
  });
});

describe("a part of it", () => {
  test("of one agent: what it said and what it was told, and how much that is", async () => {
    const agent_id = (await all()).find((line) => line.kind === "failed")?.from ?? "";
    const page = await readTranscript(kernel, asked({ agent_id }));
    expect(page.items).toEqual((await all()).filter((line) => line.from === agent_id || line.to === agent_id));
    expect(page).toMatchObject({ total: page.items.length, before: 0, is_partial: false });
    expect(page.items.map((line) => line.kind)).toEqual(["asked", "said", "failed"]);
  });

  test("from a turn or a card on, with the number of lines before", async () => {
    const lines = await all();
    const last = lines.findLast((line) => line.kind === "asked");
    const at = lines.findIndex((line) => line.line_id === last?.line_id);
    const expected = { items: lines.slice(at), before: at, total: lines.length };
    expect(await readTranscript(kernel, asked({ from_turn: last?.to_turn_id }))).toMatchObject(expected);
    expect(await readTranscript(kernel, asked({ from_card: last?.card_id }))).toMatchObject(expected);
    // An address may name one that is not there: then it begins at the beginning.
    expect((await readTranscript(kernel, asked({ from_turn: "turn_none" }))).items).toEqual(lines);
  });

  test("of words: each in the text, the names or the tool, in any case, with their number and the run's", async () => {
    const lines = await all();
    const some = lines.find((line) => line.kind === "called");
    const page = await readTranscript(kernel, asked({ q: ` ${some?.tool_name?.toUpperCase()} ${some?.from_name} ` }));
    expect(page.items).toContainEqual(some);
    expect(page.items.length).toBeLessThan(lines.length);
    expect(page).toMatchObject({ total: page.items.length, of: lines.length, before: 0 });
    for (const { tool_name, text, from_name, to_name } of page.items)
      expect(`${tool_name} ${text} ${from_name} ${to_name}`.toLowerCase()).toContain(some?.tool_name?.toLowerCase());
    const q = some?.tool_name;
    const found = await readTranscript(kernel, asked({ q }));
    const paged: TranscriptLine[] = [];
    let cursor: string | undefined;
    do {
      const part = await readTranscript(kernel, asked({ q, limit: 2, cursor }));
      expect(part).toMatchObject({ total: found.total, of: lines.length, before: paged.length });
      paged.push(...part.items);
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(found.items);
    // A sign of LIKE is a letter like any other.
    expect(await readTranscript(kernel, asked({ q: "%_%" }))).toMatchObject({ items: [], total: 0, of: lines.length });
    const { next_cursor } = await readTranscript(kernel, asked({ q, limit: 1 }));
    await expect(readTranscript(kernel, asked({ q: "other", cursor: next_cursor }))).rejects.toThrow(
      "another transcript",
    );
  });

  test("deleted content leaves its line without a text", async () => {
    const [, line] = (await all()).filter((one) => one.kind === "said");
    await kernel.db.pool.query("UPDATE cards SET deleted_at = now() WHERE tenant_id = $1 AND card_id = $2", [
      P,
      line?.card_id,
    ]);
    const now = (await all()).find((one) => one.card_id === line?.card_id);
    expect(now).toMatchObject({ text: "", letters: 0, is_deleted: true, from: line?.from });
  });
});

describe("who did what", () => {
  test("agents in the order of their first turn, with what they wrote, and the turn that failed", async () => {
    const head = await readTranscriptHead(kernel, asked());
    const lines = await all();
    expect(head).toMatchObject({
      source: "demo",
      has_times: true,
      is_live: false,
      agents_total: 10,
      failures_total: 1,
      mistakes: [],
    });
    expect(head.agents[0]).toMatchObject({ is_human: true, turns: 1, said: 1, calls: 0 });
    for (const agent of head.agents) {
      const own = lines.filter((line) => line.from === agent.agent_id);
      expect(agent.calls).toBe(own.filter((line) => line.kind === "called").length);
      expect(agent.said).toBe(own.filter((line) => ["asked", "said", "answered"].includes(line.kind)).length);
    }
    expect(head.failures).toMatchObject([
      { headcode: "2S04", status: "failed", reason: expect.stringContaining("8 s") },
    ]);
    expect(lines.find((line) => line.card_id === head.failures[0]?.card_id)).toMatchObject({ kind: "failed" });
    expect(head.expected).toBeUndefined();
  });
});

describe("what is refused", () => {
  test("a run that is not there or is of another project, and a cursor of another transcript", async () => {
    await seedProject(kernel, "p2");
    const elsewhere = { project_id: "p2", root_turn_id: root, limit: 10 };
    await expect(readTranscript(kernel, elsewhere)).rejects.toMatchObject({ code: "not_found" });
    await expect(readTranscriptHead(kernel, elsewhere)).rejects.toMatchObject({ code: "not_found" });
    const { next_cursor: cursor } = await readTranscript(kernel, asked({ limit: 2 }));
    const agent_id = (await all())[0]?.to;
    await expect(readTranscript(kernel, asked({ cursor, agent_id }))).rejects.toThrow("another transcript");
    await expect(readTranscript(kernel, asked({ cursor: "x" }))).rejects.toThrow("cursor is malformed");
  });

  test("statements do not grow with the page", async () => {
    const few = await countStatements(kernel, (counting) => readTranscript(counting, asked({ limit: 1 })));
    expect(await countStatements(kernel, (counting) => readTranscript(counting, asked()))).toBe(few);
    expect(few).toBe(3);
    const { next_cursor: cursor } = await readTranscript(kernel, asked({ limit: 2 }));
    const next = await countStatements(kernel, (counting) => readTranscript(counting, asked({ limit: 2, cursor })));
    expect(next).toBe(3);
    expect(await countStatements(kernel, (counting) => readTranscriptHead(counting, asked()))).toBe(3);
  });
});
