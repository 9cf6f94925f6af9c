// A fork of a plan run takes recorded results where nothing changed: they make no turn, cost nothing, and reach what runs as cards.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { turnOf } from "@/server/testing/turns";
import { appendToBox } from "../cardbox/append-to-box";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { readBox } from "../cardbox/read-box";
import { editPlanRun } from "../plan/edit-plan-run";
import { publishPlan } from "../plan/publish-plan";
import { readPlanRun } from "../plan/read-plan-runs";
import { retryNode } from "../plan/retry-node";
import { parseProfile } from "../roster/parse-profile";
import { saveProfile } from "../roster/save-profile";
import { withUnit } from "../unit";
import { forkPlanRun, previewForkPlanRun } from "./fork-plan-run";

let kernel: TestKernel;
const P = "forked_plans";
const { launchPlan, nodesOf, statuses, endWagon, rows, runOf } = plansOf(() => kernel, P);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }, { name: "Other" }, { name: "Moving" }]);
  await seedProject(kernel, "forked_by_others", [{ name: "Plain" }]);
});
afterAll(() => kernel.close());

const set = (node: string, path: string, value: string | boolean | object): PlanOpInput => ({
  op: "set",
  node,
  path,
  value: value as string,
});
const at = (plan_run_id: string, ops: PlanOpInput[], more: object = {}) => ({
  project_id: P,
  plan_run_id,
  ops,
  force: [],
  user: "ann",
  ...more,
});
const fork = async (plan_run_id: string, ops: PlanOpInput[], more: object = {}) => {
  const { result, root_turn_id } = await forkPlanRun(kernel, at(plan_run_id, ops, more));
  if (!("plan_run_id" in result)) throw new Error("a plan was launched");
  return { ...result, root_turn_id };
};
const preview = async (plan_run_id: string, ops: PlanOpInput[], more: object = {}) => {
  const { places } = await previewForkPlanRun(kernel, at(plan_run_id, ops, more));
  return Object.fromEntries(places.map(({ place, verdict, reason }) => [place, `${verdict}: ${reason}`]));
};
const turnsIn = (root_turn_id: string) =>
  rows<{ headcode: string; title: string }>(
    "SELECT headcode, title FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human ORDER BY headcode",
    [root_turn_id],
  );
const contextOf = async (agent_turn_id: string): Promise<string> => {
  const turn = await turnOf(kernel, P, agent_turn_id);
  const { card_ids } = await readBox(kernel, { project_id: P, box_id: turn.context_box_id });
  const cards = await rows<{ text: string }>(
    "SELECT content::text AS text FROM cards WHERE tenant_id = $1 AND card_id = ANY ($2)",
    [card_ids],
  );
  return cards.map(({ text }) => text).join("\n");
};

/** frame -> two searches -> brief, and one aside; all over. */
const original = async (more: object = {}) => {
  const run = await launchPlan(
    planBody(
      [
        wagon("frame"),
        { id: "searches", kind: "fork", load: [{ from: "frame" }], tasks: [wagon("iron"), wagon("flow")] },
        wagon("brief", { load: [{ from: "searches" }, { from: "searches", take: "summary" }] }),
        wagon("aside", { target: { ref: "Moving" } }),
      ],
      { result: "brief", ...more },
    ),
  );
  await endWagon(run.plan_run_id, "frame");
  await endWagon(run.plan_run_id, "searches", "success", { task: 0 });
  await endWagon(run.plan_run_id, "searches", "success", { task: 1 });
  await endWagon(run.plan_run_id, "aside");
  await endWagon(run.plan_run_id, "brief");
  expect(await runOf(run.plan_run_id)).toMatchObject({ status: "success" });
  return run;
};

test("what changed runs, what loads it too, and everything else is replayed without a turn", async () => {
  const source = await original();
  const ops = [set("brief", "/instruction", "Write it shorter")];
  expect(await preview(source.plan_run_id, ops)).toEqual({
    frame: expect.stringMatching(/^replayed: as in run \d+$/),
    searches: expect.stringMatching(/^replayed: as in run \d+$/),
    brief: "runs: it was changed",
    aside: expect.stringMatching(/^replayed: as in run \d+$/),
  });
  const made = await fork(source.plan_run_id, ops);
  expect(await statuses(made.plan_run_id)).toEqual({
    frame: "replayed",
    searches: "replayed",
    brief: "running",
    aside: "replayed",
  });
  expect(await turnsIn(made.root_turn_id)).toEqual([{ headcode: "1P01", title: "Write it shorter" }]);
  const brief = await endWagon(made.plan_run_id, "brief");
  const context = await contextOf(brief);
  expect(context).toContain("result of searches.0");
  expect(context).toContain("result of searches.1");
  expect(await runOf(made.plan_run_id)).toMatchObject({ status: "success", forked_from: source.plan_run_id });
  expect((await turnOf(kernel, P, made.root_turn_id)).status).toBe("success");
});

test("of a fork only the changed task runs, its sibling is entered as recorded, and both reach what follows", async () => {
  const source = await original();
  const made = await fork(source.plan_run_id, [set("searches.flow", "/instruction", "Mark every figure")]);
  const { searches } = await nodesOf(made.plan_run_id);
  expect(searches).toMatchObject({ status: "running", headcodes: ["1P01"] });
  const tasks = await rows<{ status: string; agent_turn_id: string | null }>(
    "SELECT status, agent_turn_id FROM state.pmo_batch_tasks WHERE project_id = $1 AND batch_id = $2 ORDER BY task_index",
    [searches?.batch_id],
  );
  expect(tasks).toEqual([
    { status: "success", agent_turn_id: null },
    { status: "dispatched", agent_turn_id: expect.stringMatching(/^turn_/) },
  ]);
  expect((await turnsIn(made.root_turn_id)).map(({ headcode }) => headcode)).toEqual(["1P01"]);
  await endWagon(made.plan_run_id, "searches", "success", {
    task: 1,
    content: { kind: "text", text: "figures with pages" },
  });
  expect(await statuses(made.plan_run_id)).toMatchObject({ searches: "success", brief: "running" });
  const brief = await endWagon(made.plan_run_id, "brief");
  const context = await contextOf(brief);
  expect(context).toContain("result of searches.0");
  expect(context).toContain("figures with pages");
  expect(await runOf(made.plan_run_id)).toMatchObject({ status: "success" });
});

test("a fork of a fork takes what the first one took, and what the first one ran", async () => {
  const source = await original();
  const first = await fork(source.plan_run_id, [set("searches.flow", "/instruction", "Mark every figure")]);
  await endWagon(first.plan_run_id, "searches", "success", { task: 1 });
  await endWagon(first.plan_run_id, "brief");
  const ops = [set("brief", "/instruction", "In one line")];
  expect(await preview(first.plan_run_id, ops)).toMatchObject({
    frame: expect.stringMatching(/^replayed/),
    searches: expect.stringMatching(/^replayed/),
    brief: "runs: it was changed",
  });
  const second = await fork(first.plan_run_id, ops);
  const brief = await endWagon(second.plan_run_id, "brief");
  expect(await contextOf(brief)).toContain("result of searches.0");
  expect(await turnsIn(second.root_turn_id)).toHaveLength(1);
});

describe("is not replayed", () => {
  test("what reads a box that has grown, and the box is named", async () => {
    const box_id = await withUnit(kernel, async (unit) => {
      const cards = await insertCards(unit, {
        project_id: P,
        cards: [{ type: "task.input", author_id: "ann", content: "one" }],
      });
      const [made] = await createBoxes(unit, {
        project_id: P,
        boxes: [{ kind: "plain", items: cards.map((card) => ({ ...card, origin: "given" })) }],
      });
      return made?.box_id ?? "";
    });
    const run = await launchPlan(planBody([wagon("a", { load: [{ box: box_id }] }), wagon("b")]));
    await endWagon(run.plan_run_id, "a");
    await endWagon(run.plan_run_id, "b");
    expect(await preview(run.plan_run_id, [])).toMatchObject({ a: expect.stringMatching(/^replayed/) });
    await withUnit(kernel, async (unit) => {
      const cards = await insertCards(unit, {
        project_id: P,
        cards: [{ type: "task.input", author_id: "ann", content: "two" }],
      });
      await appendToBox(unit, { project_id: P, box_id, items: cards.map((card) => ({ ...card, origin: "given" })) });
    });
    expect(await preview(run.plan_run_id, [])).toEqual({
      a: expect.stringMatching(new RegExp(`^runs: ${box_id} has 1 more card than in run \\d+$`)),
      b: expect.stringMatching(/^replayed/),
    });
  });

  test("what is forced, and what follows it", async () => {
    const source = await original();
    expect(await preview(source.plan_run_id, [], { force: ["searches.iron"] })).toMatchObject({
      frame: expect.stringMatching(/^replayed/),
      searches: "runs: Do iron runs again",
      "searches.iron": "runs: you asked for it",
      "searches.flow": expect.stringMatching(/^replayed/),
      brief: "runs: searches runs again",
    });
  });

  test("a node that was skipped or stopped, and one whose profile has another version", async () => {
    const run = await launchPlan(
      planBody([wagon("a"), wagon("b", { after: [{ node: "a" }] }), wagon("m", { target: { ref: "Moving" } })]),
    );
    await endWagon(run.plan_run_id, "m");
    await endWagon(run.plan_run_id, "a", "failed");
    const profile = parseProfile({ name: "Moving", system_prompt: "Move faster" });
    await withUnit(kernel, (unit) => saveProfile(unit, { project_id: P, author_id: "ann", profile }));
    expect(await preview(run.plan_run_id, [])).toEqual({
      // A failure is a result like any other: name it in force to try again.
      a: expect.stringMatching(/^replayed/),
      b: expect.stringMatching(/^runs: it did not end in run \d+$/),
      m: "runs: profile Moving has another version now",
    });
  });
});

test("a run that was edited is no published version any more, and its fork does not say so", async () => {
  const body = planBody([wagon("a"), wagon("b"), wagon("c", { hold: true })], { name: "Versioned" });
  await publishPlan(kernel, { project_id: P, user: "ann", message: "", body });
  const published = await launchPlan(undefined, { plan: "Versioned" });
  const as = await fork(published.plan_run_id, [], { force: ["a"] });
  const { plan_id } = await runOf(published.plan_run_id);
  expect(await runOf(as.plan_run_id)).toMatchObject({ plan_id, version: 1 });
  const ops = [{ op: "remove_node" as const, node: "c" }];
  const { plan_run_id } = published;
  await editPlanRun(kernel, { project_id: P, plan_run_id, body_rev: 1, ops, reason: "", by: "ann" });
  const edited = await fork(plan_run_id, [], { force: ["a"] });
  expect(await runOf(edited.plan_run_id)).toMatchObject({ plan_id: null, version: null });
});

test("the same action is the same fork; nothing to run, other inputs and foreign runs are refused, and nothing is written", async () => {
  const source = await original();
  const ops = [set("aside", "/instruction", "Look aside")];
  const once = await fork(source.plan_run_id, ops, { action_id: "act_fork" });
  expect(await fork(source.plan_run_id, ops, { action_id: "act_fork" })).toMatchObject({
    plan_run_id: once.plan_run_id,
  });
  const before = await countRows(kernel);
  const refused: [() => Promise<unknown>, string][] = [
    [() => fork(source.plan_run_id, []), "bad_request"],
    [
      () => fork(source.plan_run_id, [{ op: "set", path: "/inputs", value: [{ name: "x", kind: "text" }] }]),
      "bad_request",
    ],
    [() => fork(source.plan_run_id, [], { force: ["nobody"] }), "bad_request"],
    [() => fork(source.plan_run_id, [set("aside", "/target", { ref: "Nobody" })]), "invalid_plan"],
    [() => fork(source.plan_run_id, [{ op: "remove_node", node: "zz" }]), "bad_request"],
    [() => fork(source.plan_run_id, ops, { project_id: "forked_by_others" }), "not_found"],
    [() => fork(source.plan_run_id, ops, { action_id: "act_fork", force: ["frame"] }), "conflict"],
    [() => fork(once.plan_run_id, ops, { action_id: "act_fork" }), "conflict"],
  ];
  for (const [act, code] of refused) await expect(act()).rejects.toMatchObject({ code });
  expect(await countRows(kernel)).toEqual(before);
});

test("a retry of a fork runs only the tasks that did not deliver", async () => {
  const run = await launchPlan(
    planBody([
      { id: "f", kind: "fork", tasks: [wagon("x"), wagon("y")], gate: { fail_fast: true } },
      wagon("after", { load: [{ from: "f" }], after: [{ node: "f", on: "success" }] }),
      wagon("open"),
    ]),
  );
  await endWagon(run.plan_run_id, "f", "success", { task: 0 });
  await endWagon(run.plan_run_id, "f", "failed", { task: 1 });
  expect(await statuses(run.plan_run_id)).toMatchObject({ f: "failed", after: "skipped" });
  await retryNode(kernel, { project_id: P, plan_run_id: run.plan_run_id, node_id: "f" });
  expect(await statuses(run.plan_run_id)).toMatchObject({ f: "running", after: "waiting" });
  expect((await turnsIn(run.root_turn_id)).filter(({ title }) => title === "Do x")).toHaveLength(1);
  expect((await turnsIn(run.root_turn_id)).filter(({ title }) => title === "Do y")).toHaveLength(2);
  await endWagon(run.plan_run_id, "f", "success", { task: 1 });
  expect(await statuses(run.plan_run_id)).toMatchObject({ f: "success", after: "running" });
  const after = await endWagon(run.plan_run_id, "after");
  expect(await contextOf(after)).toContain("result of f.0");
  expect((await readPlanRun(kernel, { project_id: P, plan_run_id: run.plan_run_id })).nodes[0]).toMatchObject({
    try: 2,
  });
});

describe("edits of a hand-over", () => {
  const line = () => launchPlan(planBody([wagon("a"), wagon("b", { load: [{ from: "a" }] })]));
  const deliverableOf = async (plan_run_id: string, node: string): Promise<string> => {
    const [row] = await rows<{ id: string }>(
      `SELECT t.deliverable_card_id AS id FROM state.plan_run_nodes n JOIN state.agent_turns t ON t.project_id = n.project_id AND t.batch_id = n.batch_id
       WHERE n.project_id = $1 AND n.plan_run_id = $2 AND n.node_id = $3`,
      [plan_run_id, node],
    );
    return row?.id ?? "";
  };
  const turnAt = async (plan_run_id: string, node: string): Promise<string> => {
    const [row] = await rows<{ agent_turn_id: string }>(
      `SELECT t.agent_turn_id FROM state.plan_run_nodes n JOIN state.agent_turns t ON t.project_id = n.project_id AND t.batch_id = n.batch_id
       WHERE n.project_id = $1 AND n.plan_run_id = $2 AND n.node_id = $3`,
      [plan_run_id, node],
    );
    return row?.agent_turn_id ?? "";
  };
  const ended = async () => {
    const run = await line();
    await endWagon(run.plan_run_id, "a", "success", { content: { kind: "text", text: "FOUND NOTHING" } });
    await endWagon(run.plan_run_id, "b");
    return { ...run, card_id: await deliverableOf(run.plan_run_id, "a") };
  };

  test("swap a card for whoever is given it, and the receipt says so; only that wagon runs", async () => {
    const { plan_run_id, card_id } = await ended();
    const edits = [{ card_id, with: { kind: "text", text: "FOUND A LEAK" } }];
    const made = await fork(plan_run_id, [set("b", "/edits", edits)]);
    expect(await statuses(made.plan_run_id)).toEqual({ a: "replayed", b: "running" });
    const turn = await turnAt(made.plan_run_id, "b");
    const given = await contextOf(turn);
    expect(given).toContain("FOUND A LEAK");
    expect(given).not.toContain("FOUND NOTHING");
    const { context_box_id } = await turnOf(kernel, P, turn);
    const [box] = await rows<{ receipt: { lines: { reason?: string; card_id?: string }[] } }>(
      "SELECT receipt FROM card_boxes WHERE tenant_id = $1 AND box_id = $2",
      [context_box_id],
    );
    expect(box?.receipt.lines.map(({ reason }) => reason)).toContain(`in the place of ${card_id}, by an edit`);
    // The same edits pack the same, so a fork of the fork takes its result.
    await endWagon(made.plan_run_id, "b");
    expect(await preview(made.plan_run_id, [set("a", "/title", "Otherwise")])).toEqual({
      a: expect.stringMatching(/^replayed/),
      b: expect.stringMatching(/^replayed/),
    });
  });

  test("drop a card, which is told in the receipt", async () => {
    const { plan_run_id, card_id } = await ended();
    const made = await fork(plan_run_id, [set("b", "/edits", [{ card_id }])]);
    const turn = await turnAt(made.plan_run_id, "b");
    expect(await contextOf(turn)).not.toContain("FOUND NOTHING");
    const { context_box_id } = await turnOf(kernel, P, turn);
    const [box] = await rows<{ receipt: { lines: object[] } }>(
      "SELECT receipt FROM card_boxes WHERE tenant_id = $1 AND box_id = $2",
      [context_box_id],
    );
    expect(box?.receipt.lines).toContainEqual(
      expect.objectContaining({ verdict: "withheld", card_id, reason: "dropped by an edit" }),
    );
  });

  test("of a card that is not handed over, or by a plan that is no fork, are refused by name", async () => {
    const { plan_run_id, card_id } = await ended();
    const [stray] = await strayCards(P, "elsewhere");
    const found = await previewForkPlanRun(kernel, at(plan_run_id, [set("b", "/edits", [{ card_id: stray ?? "" }])]));
    expect(found.problems).toContainEqual(
      expect.objectContaining({
        at: "b",
        path: "nodes.1.edits.0.card_id",
        message: expect.stringContaining("is not handed over here"),
      }),
    );
    await expect(
      launchPlan(planBody([wagon("b", { load: [{ card: card_id }], edits: [{ card_id }] })])),
    ).rejects.toMatchObject({ code: "invalid_plan", message: expect.stringContaining("only in forks of a run") });
  });

  test("of another project's card are as of one that does not exist", async () => {
    const { plan_run_id } = await ended();
    const [theirs] = await strayCards("forked_by_others", "secret");
    const found = await previewForkPlanRun(
      kernel,
      at(plan_run_id, [set("b", "/edits", [{ card_id: theirs ?? "", with: { kind: "text", text: "x" } }])]),
    );
    expect(JSON.stringify(found.problems)).toContain("is not handed over here");
    expect(JSON.stringify(found.problems)).not.toContain("secret");
  });
});

const strayCards = (project_id: string, content: string): Promise<string[]> =>
  withUnit(kernel, async (unit) =>
    (await insertCards(unit, { project_id, cards: [{ type: "task.context", author_id: "ann", content }] })).map(
      ({ card_id }) => card_id,
    ),
  );
