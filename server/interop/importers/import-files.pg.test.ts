// All real files: the database agrees with a count made from the JSON by other means.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyPicture, fold } from "@/server/contract/frame";
import { readBoxCards } from "@/server/kernel/cardbox/read-box-cards";
import { tailJournal } from "@/server/kernel/journal/tail-journal";
import { readSnapshot } from "@/server/kernel/read-models/read-snapshot";
import { countRows, openTestKernel, seedProject, type TestKernel, untilVisible } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { importRun } from "./import-run";

type Log = {
  history: { role: string; name?: string; content: string }[];
  question: string;
  mistake_step: string;
  mistake_reason: string;
  system_prompt?: Record<string, string>;
};

const files = sharedFiles("who-and-when", ".json").map((file, i) => ({ ...file, project_id: `p${i}` }));
const readLog = (path: string): Log => JSON.parse(fs.readFileSync(path, "utf8"));
const format = "who-and-when" as const;
const bytesOf = (log: unknown) => Buffer.from(JSON.stringify(log));

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  for (const { project_id } of files) await seedProject(kernel, project_id);
});
afterAll(() => kernel.close());

const rowsOf = async (project_id: string, sql: string) =>
  (await kernel.db.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`, [project_id])).rows[0]?.n;
const stored = async (project_id: string) => ({
  turns: await rowsOf(project_id, "state.agent_turns WHERE project_id = $1"),
  cards: await rowsOf(project_id, "cards WHERE tenant_id = $1"),
  boxes: await rowsOf(project_id, "card_boxes WHERE tenant_id = $1"),
  edges: await rowsOf(project_id, "state.execution_edges WHERE project_id = $1"),
  agents: await rowsOf(project_id, "resource.project_agents WHERE project_id = $1"),
  inferred: await rowsOf(project_id, "state.execution_edges WHERE project_id = $1 AND is_inferred"),
  partial: await rowsOf(project_id, "state.agent_turns WHERE project_id = $1 AND status = 'partial'"),
});
const textsOf = async (project_id: string, box_id: string) =>
  (await readBoxCards(kernel, { project_id, box_id, limit: 500 })).cards.map((c) =>
    c.content?.kind === "text" ? c.content.text : c.type,
  );

describe.skipIf(files.length === 0)("who-and-when", () => {
  test.each(files)(
    "$name: rows agree with the JSON, and a repeat writes nothing",
    async ({ name, path, project_id }) => {
      const expected = countByHand(readLog(path));
      const result = await importRun(kernel, { project_id, format, bytes: fs.readFileSync(path), name });
      const rows = await stored(project_id);
      expect(rows).toEqual(expected);
      const { inferred: _i, partial: _p, ...counts } = expected;
      expect(result).toEqual({ ...counts, root_turn_id: result.root_turn_id, skipped: 0, is_replay: false });
      const before = await countRows(kernel);
      const again = await importRun(kernel, { project_id, format, bytes: bytesOf(readLog(path)), name: "other name" });
      expect(again).toMatchObject({ ...counts, root_turn_id: result.root_turn_id, is_replay: true });
      expect(await countRows(kernel)).toEqual(before);
    },
  );

  test.each(files)("$name: contents, marks, ends, and the live picture", async ({ path, project_id }) => {
    const log = readLog(path);
    const { rows: turns } = await kernel.db.pool.query(
      `SELECT t.*, c.metadata AS said FROM state.agent_turns t
       JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = t.deliverable_card_id
       WHERE t.project_id = $1 ORDER BY t.created_at`,
      [project_id],
    );
    // The transcript is the file.
    const { rows: runs } = await kernel.db.pool.query("SELECT * FROM state.runs WHERE project_id = $1", [project_id]);
    expect(await textsOf(project_id, runs[0].metadata.transcript_box_id)).toEqual(log.history.map((e) => e.content));
    expect(runs[0]).toMatchObject({
      number: 1,
      source: "import",
      metadata: { times: "synthetic", mistake_step: log.mistake_step },
    });
    // Every turn: one deliverable, of its own, in its output box, where the row says.
    for (const turn of turns) {
      const output = await readBoxCards(kernel, { project_id, box_id: turn.output_box_id, limit: 500 });
      const own = output.cards.filter((c) => c.origin === `turn:${turn.agent_turn_id}`);
      expect(own.map((c) => c.card_id)).toContain(turn.deliverable_card_id);
      expect(own.filter((c) => c.type === "task.deliverable")).toHaveLength(1);
      expect(own).toHaveLength(turn.output_cards);
      expect(own[0]?.position).toBe(turn.output_start);
      expect(own.reduce((sum, c) => sum + c.token_count, 0)).toBe(turn.output_tokens);
      const { rows: box } = await kernel.db.pool.query(
        "SELECT length, token_sum, consist FROM card_boxes WHERE tenant_id = $1 AND box_id = $2",
        [project_id, turn.context_box_id],
      );
      expect(box[0]).toEqual({
        length: turn.context_cards,
        token_sum: turn.context_tokens,
        consist: turn.context_consist,
      });
      expect(turn.said.is_fallback === true).toBe(turn.status === "partial");
    }
    const marked = turns.filter((t) => t.mark);
    expect(marked).toHaveLength(1);
    const { rows: mistakes } = await kernel.db.pool.query(
      "SELECT content ->> 'text' AS text, metadata FROM cards WHERE tenant_id = $1 AND card_id = $2",
      [project_id, marked[0].mark.card_id],
    );
    expect(mistakes[0].text).toBe(log.history[Number(log.mistake_step)]?.content);
    expect(mistakes[0].metadata.mark.reason).toBe(log.mistake_reason);
    expect(marked[0].mark.reason).toBe(log.mistake_reason);
    // Heads are idle, nothing waits.
    const { rows: heads } = await kernel.db.pool.query(
      `SELECT h.status, h.turn_epoch, count(t.*)::int AS turns FROM state.agent_state_head h
       JOIN state.agent_turns t USING (project_id, agent_id) WHERE h.project_id = $1 GROUP BY 1, 2, h.agent_id`,
      [project_id],
    );
    expect(heads.every((h) => h.status === "idle" && h.turn_epoch === h.turns)).toBe(true);
    expect(await rowsOf(project_id, "state.agent_inbox WHERE project_id = $1")).toBe(0);
    // A viewer who watched from the start sees the same as a new one, and each turn ended once.
    await untilVisible(kernel);
    const { frames } = await tailJournal(kernel, { project_id, after: { xid: "0", event_id: "0" }, limit: 10_000 });
    const live = fold(
      emptyPicture(),
      frames.map((f) => f.frame),
    );
    const fresh = fold(emptyPicture(), (await readSnapshot(kernel, { project_id })).frames);
    for (const kind of ["run", "turn", "edge"] as const) expect(live[kind]).toEqual(fresh[kind]);
    expect(live.task.size).toBe(turns.length);
    expect(frames.filter((f) => f.frame.kind === "task")).toHaveLength(turns.length);
  });

  test.each(files.filter((f) => f.name.startsWith("algorithm")))(
    "$name: contexts are the messages before, as shared cards",
    async ({ path, project_id }) => {
      const said = readLog(path).history.map((e) => e.content);
      const { rows: turns } = await kernel.db.pool.query(
        "SELECT context_box_id, deliverable_card_id FROM state.agent_turns WHERE project_id = $1 AND depth = 1 ORDER BY created_at",
        [project_id],
      );
      for (const [i, turn] of turns.entries()) {
        expect(await textsOf(project_id, turn.context_box_id)).toEqual(said.slice(0, i));
        // In its own output, in the transcript, and in the context of every later speaker.
        const holding = await rowsOf(
          project_id,
          `card_box_chunks WHERE tenant_id = $1 AND card_ids @> ARRAY['${turn.deliverable_card_id}']`,
        );
        expect(holding).toBe(2 + turns.length - 1 - i);
      }
    },
  );

  test("two projects: the same ids, each a whole of its own; all files in one project", async () => {
    await seedProject(kernel, "all");
    const ids = new Set<string>();
    for (const { path, project_id } of files) {
      const result = await importRun(kernel, { project_id: "all", format, bytes: fs.readFileSync(path) });
      expect(result.is_replay).toBe(false);
      ids.add(result.root_turn_id);
      const { rows } = await kernel.db.pool.query(
        `SELECT agent_turn_id, agent_id, headcode, context_box_id, output_box_id, deliverable_card_id
         FROM state.agent_turns WHERE root_turn_id = $1 ORDER BY project_id, created_at`,
        [result.root_turn_id],
      );
      expect(rows.slice(0, rows.length / 2)).toEqual(rows.slice(rows.length / 2));
      expect(await rowsOf(project_id, "state.runs WHERE project_id = $1")).toBe(1);
    }
    expect(ids.size).toBe(files.length);
    const { rows } = await kernel.db.pool.query(
      "SELECT run_count, (SELECT max(number) FROM state.runs WHERE project_id = 'all') AS top FROM projects WHERE project_id = 'all'",
    );
    expect(rows).toEqual([{ run_count: files.length, top: files.length }]);
  });
});

/** From the roles alone, looking back from each message instead of walking forward. */
function countByHand({ history, system_prompt = {} }: Log) {
  const names = history.map((e) => e.name ?? e.role.replace(/ \(.*/, ""));
  const last = history.at(-1);
  if (history[0]?.name !== undefined) {
    const speakers = new Set(names).size;
    const profiles = new Set([...names, ...Object.keys(system_prompt)]).size + 1;
    const turns = history.length + 1;
    return {
      turns,
      // The question, the person's deliverable, and a card for each profile.
      cards: history.length + 2 + profiles,
      boxes: 1 + profiles + 2 * turns,
      edges: history.length,
      agents: speakers + 1,
      inferred: history.length,
      partial: last?.content.trim().endsWith("TERMINATE") ? 0 : 1,
    };
  }
  const roles = history.map((e) => e.role);
  const delegations = roles.filter((r) => r.startsWith("Orchestrator (->")).length;
  const messages = roles.map((r, i) => ({ r, i })).filter(({ r }) => r !== "human" && !r.startsWith("Orchestrator"));
  const isAsked = ({ r, i }: { r: string; i: number }) =>
    roles.slice(0, i).findLast((before) => before === r || before === `Orchestrator (-> ${r})`) !== r;
  const answered = messages.filter(isAsked).length;
  const unasked = messages.length - answered;
  const isEnded = roles.includes("Orchestrator (termination condition)");
  const agents = new Set(names).size;
  const turns = 2 + delegations + unasked;
  const partial = delegations - answered + (isEnded ? 0 : 2);
  return {
    turns,
    // One a message; the person's deliverable; fallbacks of the others; a card for each profile.
    cards: history.length + 1 + (delegations - answered) + (isEnded ? 0 : 1) + agents,
    boxes: 1 + agents + turns + agents,
    edges: turns - 1,
    agents,
    inferred: 1 + unasked,
    partial,
  };
}
