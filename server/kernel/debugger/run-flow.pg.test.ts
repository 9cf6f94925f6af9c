// The context flow of a run adds up: what comes in to a turn is its context and what others wrote into its output, as a count that
// knows nothing of the flow finds it. In the demo, in two logs that other people wrote, and in runs made here.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureDemo } from "@/server/interop/demo/ensure-demo";
import { importRun } from "@/server/interop/importers/import-run";
import { alarmsOf } from "@/server/testing/alarms";
import { callersOf, toNew } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { countStatements } from "@/server/testing/statements";
import { inNoTime, startTestWorker } from "@/server/testing/turns";
import { readFlowCards } from "./read-flow-cards";
import { readRunFlow } from "./read-run-flow";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

const rows = async <R>(text: string, values: unknown[]): Promise<R[]> =>
  (await kernel.db.pool.query(text, values)).rows as R[];

// A result is stored under the turn that asked, and its tool wrote it: so does what somebody else decided.
const EXPECTED = `
  SELECT t.agent_turn_id, coalesce(sum(c.token_count), 0)::int AS tokens FROM state.agent_turns t
  JOIN card_box_chunks k ON k.tenant_id = $1 AND k.box_id IN (t.context_box_id, t.output_box_id)
  CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
  JOIN cards c ON c.tenant_id = $1 AND c.card_id = u.card_id
  WHERE t.project_id = $1 AND t.root_turn_id = $2 AND CASE
    WHEN k.box_id = t.context_box_id THEN c.metadata ->> 'agent_turn_id' IS DISTINCT FROM t.agent_turn_id
    WHEN k.start + u.n - 1 < coalesce(t.output_start, 0) THEN c.metadata ->> 'agent_turn_id' IS DISTINCT FROM t.agent_turn_id
    ELSE c.metadata ->> 'agent_turn_id' = t.agent_turn_id AND c.metadata ->> 'type' = 'tool.result' END
  GROUP BY t.agent_turn_id`;

async function expectSums(project_id: string): Promise<void> {
  const runs = await rows<{ root_turn_id: string }>("SELECT root_turn_id FROM state.runs WHERE project_id = $1", [
    project_id,
  ]);
  expect(runs.length).toBeGreaterThan(0);
  for (const { root_turn_id } of runs) {
    const flow = await readRunFlow(kernel, { project_id, root_turn_id });
    expect(flow).toMatchObject({ is_partial: false, edges_total: flow.edges.length });
    const expected = await rows<{ agent_turn_id: string; tokens: number }>(EXPECTED, [project_id, root_turn_id]);
    for (const { agent_turn_id, tokens } of expected) {
      const incoming = flow.edges.filter(({ to }) => to === agent_turn_id);
      expect(
        incoming.reduce((sum, edge) => sum + edge.tokens, 0),
        agent_turn_id,
      ).toBe(tokens);
    }
    expect(flow.tokens).toBe(expected.reduce((sum, { tokens }) => sum + tokens, 0));
    for (const { from, to, cards, tokens } of flow.edges) {
      expect(from).not.toBe(to);
      const page = await readFlowCards(kernel, { project_id, root_turn_id, from, to, start: 0, limit: 500 });
      expect({ cards: page.cards, tokens: page.tokens }).toEqual({ cards, tokens });
      if (page.cards <= 500) expect(page.rows.reduce((sum, row) => sum + row.flow_tokens, 0)).toBe(tokens);
    }
  }
}

test("in the demo, from whom each turn has what it holds", async () => {
  await ensureDemo(kernel);
  const worker = await startTestWorker(kernel, { models: { script: inNoTime } });
  const open = () =>
    rows("SELECT 1 FROM state.agent_turns WHERE project_id = 'demo' AND ended_at IS NULL AND NOT is_human", []);
  const made = () => rows("SELECT 1 FROM state.agent_turns WHERE project_id = 'demo'", []);
  await expect.poll(async () => ((await made()).length > 9 ? (await open()).length : 99), { timeout: 20_000 }).toBe(0);
  await worker.stop();
  await expectSums("demo");
  const [run] = await rows<{ root_turn_id: string }>(
    "SELECT root_turn_id FROM state.runs WHERE project_id = 'demo'",
    [],
  );
  const turns = await rows<{ agent_turn_id: string; headcode: string }>(
    "SELECT agent_turn_id, headcode FROM state.agent_turns WHERE project_id = 'demo'",
    [],
  );
  const names = new Map(turns.map(({ agent_turn_id, headcode }) => [agent_turn_id, headcode]));
  const flow = await readRunFlow(kernel, { project_id: "demo", root_turn_id: run?.root_turn_id ?? "" });
  const edges = flow.edges.map(({ from, to }) => `${names.get(from) ?? from} > ${names.get(to)}`);
  // What the expert found was handed to branches that its asker forked, and answers of branches come back.
  expect(edges).toEqual(
    expect.arrayContaining(["1P01 > 2E01", "1P01 > 2S01", "2E01 > 2S01", "2E01 > 1P01", "2S01 > 1P01"]),
  );
  expect(flow.sources.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["tool", "pack"]));
}, 60_000);

const logs = sharedFiles("who-and-when", ".json").filter(({ name }) =>
  /^(algorithm-generated-1|hand-crafted-1)\.json$/.test(name),
);
test.skipIf(logs.length === 0).each(logs)("in the log $name", async ({ name, path }) => {
  const project_id = `log-${name.replace(/\W/g, "-")}`;
  await seedProject(kernel, project_id);
  await importRun(kernel, { project_id, format: "who-and-when", bytes: fs.readFileSync(path), name });
  await expectSums(project_id);
});

describe("made here", () => {
  beforeAll(() => seedProject(kernel, "p1", [{ name: "Plain", worker_target: "t1" }]));
  const { running, accepted, run, deliver } = callersOf(() => kernel, "p1");
  const { write } = alarmsOf(() => kernel, "p1");
  const child = async (caller: Awaited<ReturnType<typeof running>>, more: object = {}) => {
    const made = await accepted(caller, toNew("Plain", more));
    return run(made.agent_id, made.agent_turn_id, made.turn_epoch ?? 0);
  };

  test("a box that is handed on is its writer's; statements do not grow", async () => {
    const boss = await running("Plain");
    const one = await child(boss);
    const said = await write(one, "the ferry leaves at nine");
    await deliver(one, "found it");
    const inherit = { context_box_id: one.turn.output_box_id };
    const two = await child(boss, { instruction: "go on", ...inherit });
    const root_turn_id = boss.turn.root_turn_id;
    const asked = { project_id: "p1", root_turn_id };
    const flow = await readRunFlow(kernel, asked);
    const edge = flow.edges.find(({ from, to }) => from === one.agent_turn_id && to === two.agent_turn_id);
    expect(edge?.cards).toBeGreaterThan(0);
    const page = await readFlowCards(kernel, {
      ...asked,
      from: one.agent_turn_id,
      to: two.agent_turn_id,
      start: 0,
      limit: 10,
    });
    expect(page.rows).toEqual(expect.arrayContaining([expect.objectContaining({ card_id: said, as: "context" })]));
    const before = await countStatements(kernel, (counting) => readRunFlow(counting, asked));
    for (let i = 0; i < 3; i++) await child(boss, { instruction: `more ${i}` });
    expect(await countStatements(kernel, (counting) => readRunFlow(counting, asked))).toBe(before);
    expect(before).toBe(3);
  });

  test("unknown runs and turns are not found, and nothing of another project", async () => {
    const turn = await running("Plain");
    await seedProject(kernel, "p2");
    const asked = { project_id: "p2", root_turn_id: turn.turn.root_turn_id };
    await expect(readRunFlow(kernel, asked)).rejects.toMatchObject({ code: "not_found" });
    const edge = { from: "tool:x", to: "nobody", start: 0, limit: 10 };
    await expect(readFlowCards(kernel, { ...asked, project_id: "p1", ...edge })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("to:"),
    });
  });
});
