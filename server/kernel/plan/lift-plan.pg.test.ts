// A plan that is made from work that was done packs what that work was given: the receipts have the same hash.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Handover, type Receipt } from "@/server/contract/pack";
import { callersOf } from "@/server/testing/callers";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { createBoxes } from "../cardbox/create-boxes";
import { hideCard } from "../cardbox/hide-card";
import { insertCards } from "../cardbox/insert-cards";
import { forkPlanRun } from "../launch/fork-plan-run";
import { launch } from "../launch/launch";
import { parseProfile } from "../roster/parse-profile";
import { saveProfile } from "../roster/save-profile";
import { saveRecipe } from "../roster/save-recipe";
import { withUnit } from "../unit";
import { liftPlan } from "./lift-plan";

let kernel: TestKernel;
const project_id = "lifted";
const { launchPlan, endWagon, rows } = plansOf(() => kernel, project_id);
const { launched, run, deliver } = callersOf(() => kernel, project_id);
let box = "";
let card = "";

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, project_id, [{ name: "Plain" }, { name: "Moving" }]);
  await seedProject(kernel, "lifted_by_others");
  await withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id,
      cards: ["one", "two", "three"].map((content) => ({ type: "task.input", author_id: "ann", content })),
    });
    const [made] = await createBoxes(unit, {
      project_id,
      boxes: [{ kind: "plain", items: cards.slice(0, 2).map((one) => ({ ...one, origin: "given" })) }],
    });
    box = made?.box_id ?? "";
    card = cards[2]?.card_id ?? "";
  });
});
afterAll(() => kernel.close());

const load = () => [{ card_id: card }, { box_id: box }];
const start = async (tool: "delegate_async" | "fork_join" | "ask_expert", args: object) => {
  const made = await launch(kernel, { project_id, tool, user: "ann", args });
  const turns = await rows<{
    agent_turn_id: string;
    batch_id: string | null;
    profile_box_id: string;
    agent_id: string;
  }>(
    "SELECT agent_turn_id, batch_id, profile_box_id, agent_id FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human ORDER BY created_at, agent_turn_id",
    [made.root_turn_id],
  );
  return { root_turn_id: made.root_turn_id, turns };
};
const hashesIn = async (root_turn_id: string): Promise<string[]> => {
  const found = await rows<{ receipt: Receipt }>(
    `SELECT b.receipt FROM state.agent_turns t JOIN card_boxes b ON b.tenant_id = t.project_id AND b.box_id = t.context_box_id
     LEFT JOIN state.pmo_batch_tasks k ON k.project_id = t.project_id AND k.agent_turn_id = t.agent_turn_id
     WHERE t.project_id = $1 AND t.root_turn_id = $2 AND NOT t.is_human ORDER BY k.task_index, t.created_at`,
    [root_turn_id],
  );
  return found.map(({ receipt }) => receipt.hash);
};
const lift = (of: object) => liftPlan(kernel, { project_id, ...of });
const relaunched = async (of: object): Promise<string[]> => {
  const { body } = await lift(of);
  return hashesIn((await launchPlan(body)).root_turn_id);
};

describe("launched again, it packs the same receipt", () => {
  test("a turn, with its loads in order", async () => {
    const { root_turn_id, turns } = await start("delegate_async", {
      target_strategy: "new",
      target_ref: "Plain",
      instruction: "Read these",
      load: load(),
    });
    const [turn] = turns;
    const of = { agent_turn_id: turn?.agent_turn_id };
    expect(await lift(of)).toMatchObject({
      notes: [],
      body: {
        nodes: [
          {
            id: "read-these",
            kind: "wagon",
            target: { strategy: "new", ref: "Plain", profile_box_id: turn?.profile_box_id },
            instruction: "Read these",
            load: [{ card }, { box }],
          },
        ],
      },
    });
    expect(await relaunched(of)).toEqual(await hashesIn(root_turn_id));
    expect(await relaunched({ agent_turn_id: root_turn_id })).toEqual(await hashesIn(root_turn_id));
  });

  test("a turn whose instruction has {input.x} as words", async () => {
    const instruction = "Explain {input.x}, {input.open_brace} and {input.x} of {plans}";
    const { root_turn_id, turns } = await start("delegate_async", {
      target_strategy: "new",
      target_ref: "Plain",
      instruction,
    });
    const of = { agent_turn_id: turns[0]?.agent_turn_id };
    expect(await lift(of)).toMatchObject({
      body: { inputs: [{ name: "open_brace", default: "{" }], nodes: [{ title: instruction }] },
      notes: [{ text: "Its instruction has {input.…} as words. Here {input.open_brace} stands for their brace." }],
    });
    expect(await relaunched(of)).toEqual(await hashesIn(root_turn_id));
  });

  test("a turn that was given 300 cards before its instruction and an argument", async () => {
    await saveRecipe(kernel, {
      project_id,
      user: "ann",
      name: "late",
      handover: Handover.parse({
        context_packing_config: {
          pack_arguments: [{ arg_key: "scope" }, { arg_key: "instruction" }],
          inherit_context: { include_from_args: ["load"], include_parent: true },
          order: "inherited_first",
        },
      }),
    });
    const box_id = await withUnit(kernel, async (unit) => {
      const cards = await insertCards(unit, {
        project_id,
        cards: Array.from({ length: 300 }, (_, i) => ({ type: "task.input", author_id: "ann", content: `card ${i}` })),
      });
      const [made] = await createBoxes(unit, {
        project_id,
        boxes: [{ kind: "plain", items: cards.map((one) => ({ ...one, origin: "given" })) }],
      });
      return made?.box_id ?? "";
    });
    const { root_turn_id, turns } = await start("delegate_async", {
      target_strategy: "new",
      target_ref: "Plain",
      instruction: "Read them",
      load: [{ box_id }],
      recipe: "late",
      arguments: { scope: "only Europe" },
    });
    const of = { agent_turn_id: turns[0]?.agent_turn_id };
    const { body, notes } = await lift(of);
    expect(body.nodes[0]).toMatchObject({ instruction: "Read them", arguments: { scope: "only Europe" } });
    expect(notes).toEqual([]);
    expect(await relaunched(of)).toEqual(await hashesIn(root_turn_id));
  });

  test("one task of a fork, as a wagon", async () => {
    const tasks = ["x", "y"].map((one) => ({ target_ref: "Plain", target_strategy: "new", instruction: `Do ${one}` }));
    const { turns } = await start("fork_join", { tasks });
    const { body } = await lift({ agent_turn_id: turns[1]?.agent_turn_id });
    expect(body.nodes).toMatchObject([{ kind: "wagon", instruction: expect.stringMatching(/^Do [xy]$/) }]);
  });

  test("a batch, as one fork with its gate and attempts", async () => {
    const { root_turn_id, turns } = await start("fork_join", {
      tasks: [
        { target_strategy: "new", target_ref: "Plain", instruction: "Left", load: load(), attempts: 3 },
        { target_strategy: "new", target_ref: "Moving", instruction: "Right", context_box_id: box },
      ],
      fail_fast: true,
      max_parallel: 2,
      deadline_seconds: 600,
    });
    const of = { batch_id: turns[0]?.batch_id };
    expect((await lift(of)).body.nodes).toMatchObject([
      {
        kind: "fork",
        gate: { fail_fast: true, max_parallel: 2, deadline_seconds: 600 },
        tasks: [
          { id: "left", attempts: 3 },
          { id: "right", load: [{ box }] },
        ],
      },
    ]);
    expect(await relaunched(of)).toEqual(await hashesIn(root_turn_id));
  });

  test("a turn that was packed by a recipe with arguments", async () => {
    await saveRecipe(kernel, {
      project_id,
      user: "ann",
      name: "toned",
      handover: Handover.parse({
        context_packing_config: {
          pack_arguments: [{ arg_key: "tone", as_card_type: "task.context" }, { arg_key: "instruction" }],
        },
      }),
    });
    const { root_turn_id, turns } = await start("delegate_async", {
      target_strategy: "new",
      target_ref: "Plain",
      instruction: "Say it",
      recipe: "toned",
      arguments: { tone: "warm" },
      load: load(),
    });
    const of = { agent_turn_id: turns[0]?.agent_turn_id };
    expect((await lift(of)).body.nodes[0]).toMatchObject({ recipe: "toned@1", arguments: { tone: "warm" } });
    expect(await relaunched(of)).toEqual(await hashesIn(root_turn_id));
  });

  test("a clone, without the memory that cloning brings", async () => {
    const { agent_id, agent_turn_id, turn_epoch } = await launched("Plain");
    await deliver(await run(agent_id, agent_turn_id, turn_epoch ?? 0), "what it wrote");
    const { root_turn_id, turns } = await start("delegate_async", {
      target_strategy: "clone",
      target_ref: agent_id,
      instruction: "Argue against it",
      load: load(),
    });
    const of = { agent_turn_id: turns[0]?.agent_turn_id };
    expect((await lift(of)).body.nodes[0]).toMatchObject({
      target: { strategy: "clone", ref: agent_id },
      load: [{ card }, { box }],
    });
    expect(await relaunched(of)).toEqual(await hashesIn(root_turn_id));
  });

  test("a batch of a forked run, with the tasks whose results it took", async () => {
    const tasks = ["x", "y", "z"].map((id) => wagon(id, { load: [{ box }], attempts: 2 }));
    const first = await launchPlan(planBody([{ id: "f", kind: "fork", tasks, gate: { fail_fast: true } }]));
    for (const task of [0, 1, 2]) await endWagon(first.plan_run_id, "f", "success", { task });
    const again = { project_id, plan_run_id: first.plan_run_id, ops: [], force: ["f.y"], user: "ann" };
    const { result } = await forkPlanRun(kernel, again);
    if (!("plan_run_id" in result)) throw new Error("a plan was launched");
    const [batch] = await rows<{ batch_id: string }>(
      "SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND plan_run_id = $2",
      [result.plan_run_id],
    );
    const of = { batch_id: batch?.batch_id };
    const { body, notes } = await lift(of);
    expect(notes).toEqual([]);
    expect(body.nodes).toMatchObject([
      {
        kind: "fork",
        gate: { fail_fast: true },
        tasks: ["x", "y", "z"].map((id) => ({ instruction: `Do ${id}`, load: [{ box }], attempts: 2 })),
      },
    ]);
    expect(await relaunched(of)).toEqual(await hashesIn(first.root_turn_id));
    await endWagon(result.plan_run_id, "f", "success", { task: 1 });
  });

  test("a plan run is its plan", async () => {
    const plan = await launchPlan(planBody([wagon("a", { load: [{ box }] }), wagon("b", { load: [{ from: "a" }] })]));
    const { body, notes } = await lift({ plan_run_id: plan.plan_run_id });
    expect([body.nodes.map(({ id }) => id), notes]).toEqual([["a", "b"], []]);
    expect((await lift({ agent_turn_id: plan.root_turn_id })).body).toEqual(body);
    const again = await launchPlan(body);
    expect(await hashesIn(again.root_turn_id)).toEqual(await hashesIn(plan.root_turn_id));
    await endWagon(plan.plan_run_id, "a");
  });
});

test("the wagon runs with the version of the profile that ran, also when there is a newer one", async () => {
  const { turns } = await start("delegate_async", { target_strategy: "new", target_ref: "Moving", instruction: "Go" });
  const [turn] = turns;
  const profile = parseProfile({ name: "Moving", system_prompt: "Move faster" });
  await withUnit(kernel, (unit) => saveProfile(unit, { project_id, author_id: "ann", profile }));
  const { body } = await lift({ agent_turn_id: turn?.agent_turn_id });
  const versionOf = async (root_turn_id: string) =>
    rows<{ profile_box_id: string }>(
      "SELECT profile_box_id FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human",
      [root_turn_id],
    );
  expect(await versionOf((await launchPlan(body)).root_turn_id)).toEqual([{ profile_box_id: turn?.profile_box_id }]);
  const newest = { ...body, nodes: [wagon("go", { target: { ref: "Moving" } })] };
  expect(await versionOf((await launchPlan(newest)).root_turn_id)).not.toEqual([
    { profile_box_id: turn?.profile_box_id },
  ]);
  const wrong = { ...body, nodes: [wagon("go", { target: { ref: "Plain", profile_box_id: turn?.profile_box_id } })] };
  await expect(launchPlan(wrong)).rejects.toMatchObject({
    code: "invalid_plan",
    message: `Box ${turn?.profile_box_id} is not a version of profile Plain.`,
  });
});

test("an instruction whose content was deleted is not told again", async () => {
  const { turns } = await start("delegate_async", {
    target_strategy: "new",
    target_ref: "Plain",
    instruction: "The password is swordfish",
  });
  const of = { agent_turn_id: turns[0]?.agent_turn_id ?? "" };
  const [given] = await rows<{ instruction_card_id: string }>(
    "SELECT instruction_card_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    [of.agent_turn_id],
  );
  await withUnit(kernel, (unit) =>
    hideCard(unit, { project_id, card_id: given?.instruction_card_id ?? "", by: "ann" }),
  );
  const { body, notes } = await lift(of);
  expect(JSON.stringify(body)).not.toContain("swordfish");
  expect(notes.map(({ text }) => text)).toEqual([
    "The content of its instruction was deleted. Write what is to be done.",
  ]);
});

test("what is not there, not one, or another project's is refused, and nothing is ever written", async () => {
  const { turns } = await start("delegate_async", { target_strategy: "new", target_ref: "Plain", instruction: "Go" });
  const of = { agent_turn_id: turns[0]?.agent_turn_id };
  const before = await countRows(kernel);
  await lift(of);
  for (const [asked, code] of [
    [{}, "bad_request"],
    [{ ...of, batch_id: "b" }, "bad_request"],
    [{ agent_turn_id: "turn_nope" }, "not_found"],
    [{ batch_id: "batch_nope" }, "not_found"],
    [{ plan_run_id: "prun_nope" }, "not_found"],
    [{ ...of, project_id: "lifted_by_others" }, "not_found"],
  ] as const)
    await expect(lift(asked)).rejects.toMatchObject({ code });
  expect(await countRows(kernel)).toEqual(before);
});
