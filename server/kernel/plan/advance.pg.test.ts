// Plans run: tracks, loads, ends; each node once, whoever advances.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { turnOf } from "@/server/testing/turns";
import { readBox } from "../cardbox/read-box";
import { stopTurn } from "../reclaim/stop-turn";

let kernel: TestKernel;
const P = "plans";
const { launchPlan, nodesOf, statuses, runOf, endWagon, rows } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const cardsOf = async (turn_id: string) => {
  const turn = await turnOf(kernel, P, turn_id);
  const found = await rows<{ type: string; text: string }>(
    `SELECT c.metadata ->> 'type' AS type, coalesce(c.content ->> 'text', c.content::text) AS text
     FROM card_box_chunks k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, ord)
     JOIN cards c ON c.tenant_id = k.tenant_id AND c.card_id = u.card_id
     WHERE k.tenant_id = $1 AND k.box_id = $2 ORDER BY k.n, u.ord`,
    [turn.context_box_id],
  );
  return found.map(({ type, text }) => `${type}: ${text}`);
};

describe("a chain", () => {
  test("starts each node when the one before has delivered, hands its result over, and ends with the last", async () => {
    const run = await launchPlan(
      planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { after: [{ node: "b" }] })]),
    );
    expect(run.nodes.map(({ headcodes }) => headcodes)).toEqual([["1P01"], ["1P02"], ["1P03"]]);
    expect(await statuses(run.plan_run_id)).toEqual({ a: "running", b: "waiting", c: "waiting" });
    await endWagon(run.plan_run_id, "a");
    expect(await statuses(run.plan_run_id)).toEqual({ a: "success", b: "running", c: "waiting" });
    const b = await endWagon(run.plan_run_id, "b", "partial");
    expect(await turnOf(kernel, P, b)).toMatchObject({ headcode: "1P02", primitive: "delegate_async", depth: 1 });
    expect((await cardsOf(b)).join("\n")).toContain("result of a.0");
    await endWagon(run.plan_run_id, "c");
    expect(await runOf(run.plan_run_id)).toMatchObject({ status: "success" });
    const root = await turnOf(kernel, P, run.root_turn_id);
    expect(root.status).toBe("success");
  });

  test("a failure skips what waits for its result, with the reason, and starts what waits for its failure", async () => {
    const run = await launchPlan(
      planBody([
        wagon("a"),
        wagon("b", { after: [{ node: "a" }] }),
        wagon("mend", { load: [{ from: "a" }], after: [{ node: "a", on: "failed" }] }),
      ]),
    );
    await endWagon(run.plan_run_id, "a", "failed");
    const nodes = await nodesOf(run.plan_run_id);
    expect(nodes.b).toMatchObject({ status: "skipped", reason: "skipped: 1P01 failed, and it waits for its result" });
    expect(nodes.mend?.status).toBe("running");
    await endWagon(run.plan_run_id, "mend");
    // Of the last nodes, those that were not skipped decide.
    expect((await runOf(run.plan_run_id)).status).toBe("success");
  });
});

describe("a fork", () => {
  test("is one batch with the codes kept for it; a track from a task starts before the gate", async () => {
    const run = await launchPlan(
      planBody([
        { id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")] },
        wagon("early", { load: [{ from: "f.x" }] }),
        wagon("late", { load: [{ from: "f" }, { from: "f", take: "summary" }] }),
      ]),
    );
    expect(Object.fromEntries(run.nodes.map((node) => [node.node_id, node.headcodes])).f).toEqual(["1P01", "1P02"]);
    await endWagon(run.plan_run_id, "f", "success", { task: 0 });
    expect(await statuses(run.plan_run_id)).toEqual({ f: "running", early: "running", late: "waiting" });
    await endWagon(run.plan_run_id, "f", "failed", { task: 1 });
    expect(await statuses(run.plan_run_id)).toEqual({ f: "partial", early: "running", late: "running" });
    const late = await endWagon(run.plan_run_id, "late");
    const cards = await cardsOf(late);
    expect(cards.filter((card) => card.includes("result of f"))).toHaveLength(2);
    await endWagon(run.plan_run_id, "early");
    expect((await runOf(run.plan_run_id)).status).toBe("success");
  });
});

test("stopping the parent ends the run, its nodes and batches in one transaction", async () => {
  const run = await launchPlan(planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] })]));
  await stopTurn(kernel, { project_id: P, agent_turn_id: run.root_turn_id, scope: "turn", by: "ann" });
  expect((await runOf(run.plan_run_id)).status).toBe("canceled");
  expect(await statuses(run.plan_run_id)).toEqual({ a: "canceled", b: "skipped" });
  const open = await rows(
    "SELECT 1 FROM state.pmo_batches WHERE project_id = $1 AND plan_run_id = $2 AND status = 'running'",
    [run.plan_run_id],
  );
  expect(open).toEqual([]);
});

test("the same action_id is the same launch", async () => {
  const body = planBody([wagon("a")]);
  const first = await launchPlan(body, {}, { action_id: "once" });
  const again = await launchPlan(body, {}, { action_id: "once" });
  expect(again.plan_run_id).toBe(first.plan_run_id);
  const before = await countRows(kernel);
  const other = planBody([wagon("b")]);
  for (const [args, input] of [
    [other, {}],
    [body, { user: "bob" }],
    [body, { into: first.root_turn_id }],
  ] as const)
    await expect(launchPlan(args, {}, { action_id: "once", ...input })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^action_id: once was used for another launch\. Send the same request again, or/),
    });
  expect(await countRows(kernel)).toEqual(before);
});

test("a task that did not deliver is a line of the receipt, and its card does not travel", async () => {
  const run = await launchPlan(
    planBody([{ id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")] }, wagon("after", { load: [{ from: "f" }] })]),
  );
  await endWagon(run.plan_run_id, "f", "success", { task: 0 });
  const failed = await turnOf(kernel, P, await endWagon(run.plan_run_id, "f", "failed", { task: 1 }));
  const { after } = await nodesOf(run.plan_run_id);
  expect(after?.status).toBe("running");
  const [turn] = await rows<{ context_box_id: string }>(
    "SELECT context_box_id FROM state.agent_turns WHERE project_id = $1 AND batch_id = $2",
    [after?.batch_id],
  );
  const { receipt, card_ids } = await readBox(kernel, { project_id: P, box_id: turn?.context_box_id ?? "" });
  expect(receipt?.lines).toContainEqual({
    verdict: "withheld",
    origin: "card",
    card_id: failed.deliverable_card_id,
    cards: 1,
    tokens: expect.any(Number),
    reason: "f.y failed",
  });
  expect(receipt?.left_out_cards).toBe(1);
  expect(card_ids).not.toContain(failed.deliverable_card_id);
});
