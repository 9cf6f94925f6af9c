// Hand-overs of turns that the built-in worker ran, of people's launches, forks and imports: judged from what is stored.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConsist } from "@/server/contract/consist";
import type { HandoverSheet } from "@/server/contract/handover-diff";
import { Handover } from "@/server/contract/pack";
import { importRun } from "@/server/interop/importers/import-run";
import { forkTurn } from "@/server/kernel/launch/fork-turn";
import { launch } from "@/server/kernel/launch/launch";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { countStatements } from "@/server/testing/statements";
import { launchTurn, scripted, startTestWorker, untilTurn } from "@/server/testing/turns";
import type { Worker } from "@/server/worker/loop";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { saveRecipe } from "../roster/save-recipe";
import { withUnit } from "../unit";
import { readHandover } from "./read-handover";

const P = "handed";
let kernel: TestKernel;
let worker: Worker;

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  await seedProject(kernel, P, [
    scripted(
      "Boss",
      [
        { call: "think", arguments: { thought: "I plan." } },
        {
          call: "fork_join",
          arguments: {
            tasks: ["one", "two"].map((instruction) => ({
              target_strategy: "new",
              target_ref: "Leaf",
              instruction,
            })),
          },
        },
        { deliver: "joined" },
      ],
      {
        allowed_internal_tools: ["think", "fork_join"],
        delegation_policy: { target_tags: [], target_profiles: ["Leaf"] },
      },
    ),
    scripted("Leaf", [{ deliver: "did {instruction}" }]),
  ]);
  await saveRecipe(kernel, {
    ...{ project_id: P, user: "ann", name: "careful" },
    handover: Handover.parse({
      context_packing_config: {
        pack_arguments: [{ arg_key: "instruction" }],
        inherit_context: { include_from_args: ["sources"], exclude_types: ["agent.thought"], redact: true },
        order: "inherited_first",
      },
    }),
  });
  worker = await startTestWorker(kernel);
});
afterAll(async () => {
  await worker.stop();
  await kernel.close();
});

const sheet = (agent_turn_id: string, more = {}, project_id = P) =>
  readHandover(kernel, { project_id, agent_turn_id, from: 0, limit: 1_000, ...more });
const verdictsOf = ({ rows }: HandoverSheet) =>
  rows.map(({ verdict, had, packed, saw, card }) => `${verdict} ${(had ?? packed ?? saw ?? card)?.type}`);

/** caller = what it had, callee = what it saw, each the sum of its verdicts; every row is listed. */
function addsUp({ had, saw, verdicts, rows, rows_total }: HandoverSheet): void {
  const sum = (side: "had" | "saw") =>
    Object.values(verdicts).reduce(
      (all, one) => ({ cards: all.cards + one[side].cards, tokens: all.tokens + one[side].tokens }),
      { cards: 0, tokens: 0 },
    );
  for (const [side, { consist, ...column }] of Object.entries({ had, saw })) {
    expect(sum(side as "had" | "saw")).toEqual(column);
    expect(parseConsist(consist).reduce((all, { tokens }) => all + tokens, 0)).toBe(column.tokens);
  }
  expect(Object.values(verdicts).reduce((n, one) => n + one.cards, 0)).toBe(rows_total);
  expect(rows).toHaveLength(Math.min(rows_total, 1_000));
}

async function boxOf(box_id: string, cards: { type: string; content: string }[]): Promise<string> {
  await withUnit(kernel, async (unit) => {
    const made = await insertCards(unit, {
      project_id: P,
      cards: cards.map((card) => ({ ...card, author_id: "ann" })),
    });
    const items = made.map((card) => ({ ...card, origin: "given" }));
    await createBoxes(unit, { project_id: P, boxes: [{ box_id, kind: "plain", items }] });
  });
  return box_id;
}

describe("a person's launch", () => {
  test("what was offered stands on the left, a redacted copy beside its original", async () => {
    const box = await boxOf("offered", [
      { type: "task.context", content: "The house style." },
      { type: "task.context", content: "Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789abcd" },
      { type: "agent.thought", content: "Not for others." },
    ]);
    const { result } = await launch(kernel, {
      project_id: P,
      tool: "delegate_async",
      user: "ann",
      args: {
        ...{ target_strategy: "new", target_ref: "Leaf", instruction: "Read it" },
        ...{ recipe: "careful@1", arguments: { sources: [{ box_id: box }] } },
      },
    });
    if (!("agent_turn_id" in result)) throw new Error("a delegation was launched");
    await untilTurn(kernel, P, result.agent_turn_id);
    const handed = await sheet(result.agent_turn_id);
    expect(handed.caller).toMatchObject({ side: "offered", is_human: true });
    expect(handed.callee).toMatchObject({ side: "request", is_sent: true });
    expect(handed.had.cards).toBe(3);
    addsUp(handed);
    const redacted = handed.rows.find(({ verdict }) => verdict === "redacted");
    expect(redacted).toMatchObject({ had: { in: "output" }, saw: { redacted_from: redacted?.had?.card_id } });
    expect(redacted?.reason).toMatch(/^\w+ 1$/);
    expect(handed.rows.find(({ verdict }) => verdict === "left_out")).toMatchObject({
      had: { type: "agent.thought" },
      reason: "the recipe excludes agent.thought",
    });
    expect(verdictsOf(handed)).toContain("passed task.context");
    expect(verdictsOf(handed)).toContain("added task.instruction");
  });
});

describe("an agent's fork", () => {
  test("what the boss had and kept, what its branches saw, and where they differ", async () => {
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Boss", instruction: "Lead them" });
    await untilTurn(kernel, P, agent_turn_id);
    const { rows } = await kernel.db.pool.query(
      "SELECT agent_turn_id FROM state.agent_turns WHERE project_id = $1 AND parent_turn_id = $2 ORDER BY task_index",
      [P, agent_turn_id],
    );
    const [first] = rows;
    const handed = await sheet(first.agent_turn_id);
    expect(handed.caller).toMatchObject({ side: "request", ordinal: 2, agent_turn_id });
    expect(handed.branches.map((branch) => branch.task_index)).toEqual([0, 1]);
    addsUp(handed);
    // The system prompt and the tools of each are its own, and the call is not in the request that led to it.
    expect(verdictsOf(handed)).toEqual(
      expect.arrayContaining(["withheld sys.rendered_prompt", "added sys.rendered_prompt", "added task.instruction"]),
    );
    const task = handed.rows.find(({ packed }) => packed?.type === "task.instruction");
    expect(task).toMatchObject({ verdict: "added", differs: true });
    const only = await sheet(first.agent_turn_id, { verdict: "added", limit: 1 });
    expect(only.rows).toHaveLength(1);
    expect(only.rows_total).toBe(handed.verdicts.added?.cards);
    expect(only.verdicts).toEqual(handed.verdicts);
  });
  test("it takes six statements, and another project's turn is not found", async () => {
    const { agent_turn_id } = await launchTurn(kernel, P, { target: "Leaf" });
    await untilTurn(kernel, P, agent_turn_id);
    const asked = { project_id: P, agent_turn_id, from: 0, limit: 200 };
    expect(await countStatements(kernel, (counting) => readHandover(counting, asked))).toBe(6);
    await seedProject(kernel, "neighbour");
    await expect(sheet(agent_turn_id, {}, "neighbour")).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a fork stands beside the request that it was forked from, with the changed card", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Leaf", instruction: "First words" });
  const turn = await untilTurn(kernel, P, agent_turn_id);
  const fork = await forkTurn(kernel, {
    ...{ project_id: P, agent_turn_id, user: "ann", drop: [] },
    replace: [{ card_id: turn.instruction_card_id ?? "", with: "Other words" }],
  });
  await untilTurn(kernel, P, fork.agent_turn_id);
  const handed = await sheet(fork.agent_turn_id);
  expect(handed.caller?.side).toBe("fork");
  addsUp(handed);
  expect(handed.rows.find(({ verdict }) => verdict === "rewritten")).toMatchObject({
    had: { card_id: turn.instruction_card_id },
    saw: { title: "Other words" },
  });
});

const logs = sharedFiles("who-and-when", ".json");
test.skipIf(logs.length === 0).each(logs)("totals add up on every edge of $name", async ({ name, path }) => {
  const project_id = `log-${name.replace(/\W/g, "-")}`;
  await seedProject(kernel, project_id);
  const bytes = fs.readFileSync(path);
  await importRun(kernel, { project_id, format: "who-and-when", bytes, name });
  const { rows } = await kernel.db.pool.query<{ agent_turn_id: string; is_called: boolean }>(
    "SELECT agent_turn_id, parent_turn_id IS NOT NULL AS is_called FROM state.agent_turns WHERE project_id = $1",
    [project_id],
  );
  expect(rows.some(({ is_called }) => is_called)).toBe(true);
  for (const { agent_turn_id, is_called } of rows) {
    const handed = await sheet(agent_turn_id, {}, project_id);
    addsUp(handed);
    expect(handed.caller !== undefined).toBe(is_called);
    expect(handed.callee.side).toBe("context");
  }
});

// All cards of an import are stored at one moment: by their time, a caller had either nothing it wrote or all of it.
const HAD_BY_ITS_PLACE = `
  WITH held AS (SELECT k.box_id, c.card_id, (c.metadata ->> 'history_index')::int AS n FROM card_box_chunks k
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = ANY (k.card_ids) WHERE k.tenant_id = $1),
    edge AS (SELECT t.agent_turn_id, p.context_box_id, p.output_box_id, min(h.n) AS n FROM state.agent_turns t
      JOIN state.agent_turns p ON p.project_id = $1 AND p.agent_turn_id = t.parent_turn_id
      JOIN held h ON h.box_id = t.context_box_id
      WHERE t.project_id = $1 AND NOT p.is_human GROUP BY 1, 2, 3)
  SELECT e.agent_turn_id, count(DISTINCT h.card_id)::int AS cards FROM edge e
  JOIN held h ON h.box_id = e.context_box_id OR (h.box_id = e.output_box_id AND h.n < e.n)
  GROUP BY 1`;
test.skipIf(logs.length === 0)(
  "a caller of a log had what stands before the call, and nothing that came later",
  async () => {
    const project_id = "log-places";
    await seedProject(kernel, project_id);
    const log = logs.find(({ name }) => name === "hand-crafted-1.json") ?? logs[0];
    if (log === undefined) throw new Error("no logs");
    await importRun(kernel, { project_id, format: "who-and-when", bytes: fs.readFileSync(log.path), name: log.name });
    const { rows } = await kernel.db.pool.query<{ agent_turn_id: string; cards: number }>(HAD_BY_ITS_PLACE, [
      project_id,
    ]);
    expect(rows.length).toBeGreaterThan(3);
    const had: number[] = [];
    for (const { agent_turn_id, cards } of rows) {
      had.push(cards);
      expect((await sheet(agent_turn_id, {}, project_id)).had.cards, agent_turn_id).toBe(cards);
    }
    // It grows from call to call.
    expect(new Set(had).size).toBe(had.length);
  },
);
