// The kernel's check of a plan: every problem that needs the project's rows, word for word, all at once, and nothing written.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KernelCode } from "@/server/contract/plan/kernel-check";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { scripted } from "@/server/testing/turns";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { readOffers } from "../tools/read-offers";
import { withUnit } from "../unit";
import { type CheckPlan, checkPlan } from "./check-plan";
import { parseBody } from "./parse-body";
import { publishPlan } from "./publish-plan";

let kernel: TestKernel;
const P = "checked";
const { launchPlan, endWagon, nodesOf, rows } = plansOf(() => kernel, P);
let box = "";
let heavy = "";
let secret = "";
let theirs = "";

const boxOf = async (project_id: string, texts: string[]): Promise<{ box_id: string; card_ids: string[] }> =>
  withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id,
      cards: texts.map((content) => ({ type: "task.input", author_id: "ann", content })),
    });
    const [made] = await createBoxes(unit, {
      project_id,
      boxes: [{ kind: "context", items: cards.map((card) => ({ ...card, origin: "given" })) }],
    });
    if (!made) throw new Error("a box was made");
    return { box_id: made.box_id, card_ids: cards.map(({ card_id }) => card_id) };
  });

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [
    scripted("Plain", [{ deliver: "done" }]),
    scripted("Bound", [{ deliver: "done" }], { delegation_policy: { target_profiles: ["Other"] } }),
    scripted("Free", [{ deliver: "done" }], { delegation_policy: { target_tags: [] } }),
    { name: "Small", llm_config: { model: "scripted/demo", context_window: 400 } },
  ]);
  await seedProject(kernel, "checked_other", [{ name: "Theirs" }]);
  ({ box_id: box } = await boxOf(P, ["one", "two"]));
  ({ box_id: heavy } = await boxOf(P, ["word ".repeat(600)]));
  const made = await boxOf(P, ["the key is AKIAIOSFODNN7EXAMPLE"]);
  secret = made.card_ids[0] ?? "";
  ({ box_id: theirs } = await boxOf("checked_other", ["theirs"]));
});
afterAll(() => kernel.close());

const check = (nodes: object[], more: object = {}, input: Partial<CheckPlan> = {}) =>
  checkPlan(kernel, { project_id: P, plan: parseBody(planBody(nodes, more)), as: { user: "ann" }, ...input });
const found = async (code: KernelCode, nodes: object[], more: object = {}, input: Partial<CheckPlan> = {}) => {
  const { problems } = await check(nodes, more, input);
  return problems.filter((one) => one.code === code);
};
const messages = async (...asked: Parameters<typeof found>) => (await found(...asked)).map(({ message }) => message);

test("a plan that can run has no errors, says what each wagon is given, and writes nothing", async () => {
  const before = await countRows(kernel);
  const { ok, problems, nodes } = await check(
    [wagon("a", { load: [{ box }] }), wagon("b", { load: [{ from: "a" }, { box }] })],
    {},
    { offer: readOffers },
  );
  expect(ok).toBe(true);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(nodes.map(({ place, headcode, cards, receipt }) => ({ place, headcode, cards, receipt }))).toEqual([
    { place: "a", headcode: "1P01", cards: 5, receipt: { included: 5, withheld: 0, redacted: 0, duplicate: 0 } },
    { place: "b", headcode: "1P02", cards: 5, receipt: { included: 5, withheld: 0, redacted: 0, duplicate: 0 } },
  ]);
  expect(nodes[0]?.tokens.exact).toBe(nodes[0]?.request?.tokens);
  expect(nodes[0]?.tokens.exact).toBeGreaterThan(0);
  expect(await countRows(kernel)).toEqual(before);
});

test("the codes are those that the launch keeps", async () => {
  const nodes = [
    wagon("a"),
    { id: "f", kind: "fork", tasks: [wagon("x", { target: { ref: "Free" } }), wagon("y")] },
    wagon("b", { after: [{ node: "f" }] }),
  ];
  const { nodes: shown } = await check(nodes);
  const run = await launchPlan(planBody(nodes));
  const kept = await nodesOf(run.plan_run_id);
  const codes = [...(kept.a?.headcodes ?? []), ...(kept.f?.headcodes ?? []), ...(kept.b?.headcodes ?? [])];
  expect(shown.map(({ headcode }) => headcode)).toEqual(codes);
});

test.each<[KernelCode, object[], object, string[]]>([
  [
    "profile_missing",
    [wagon("a", { target: { ref: "Nope" } })],
    {},
    ["Profile Nope is not registered in this project."],
  ],
  [
    "profile_missing",
    [wagon("a", { target: { ref: "Theirs" } })],
    {},
    ["Profile Theirs is not registered in this project."],
  ],
  [
    "profile_missing",
    [wagon("a")],
    { run_by: { profiles: ["Nope"] } },
    ["Profile Nope is not registered in this project."],
  ],
  [
    "agent_missing",
    [wagon("a", { target: { strategy: "reuse", ref: "nobody" } })],
    {},
    ["Agent nobody is not in this project."],
  ],
  [
    "may_repeat",
    [wagon("a", { title: "Ann" }), wagon("b", { target: { ref: "Free" } })],
    { run_by: { profiles: ["Plain"] } },
    [
      "Ann runs Plain, which may run this plan: it may start the plan again, down to depth 20. Take Plain out of run_by, or give the step to another profile.",
    ],
  ],
  ["recipe_missing", [wagon("a", { recipe: "nope" })], {}, ["Recipe nope does not exist."]],
  [
    "recipe_missing",
    [wagon("a", { recipe: "instruction@7" })],
    {},
    ["Recipe instruction has no version 7; the newest is 1."],
  ],
  [
    "recipe_argument",
    [wagon("a", { title: "Ann", arguments: { tone: "warm" } })],
    {},
    ["Ann: arguments.tone: the recipe does not use this argument. It takes input_box_ids, input_card_ids"],
  ],
  [
    "box_missing",
    [wagon("a", { load: [{ box: "nope" }, { card: "nocard" }] })],
    {},
    ["Box nope is not in this project.", "Card nocard is not in this project."],
  ],
  [
    "policy",
    [wagon("a")],
    { run_by: { profiles: ["Bound", "Free"] } },
    ["Bound may not delegate to Plain: its policy allows Other."],
  ],
])("%s: %j", async (code, nodes, more, expected) => {
  expect(await messages(code, nodes, more)).toEqual(expected);
});

test("edits of cards are refused, and never left out without a word", async () => {
  expect(await messages("recipe_argument", [wagon("a", { title: "Ann", edits: [{ card_id: secret }] })])).toEqual([
    "Ann: cards are swapped only in forks of a run. Take the edits away, or fork the run.",
  ]);
});

test("another project's box looks missing, and a run_by profile may have no right to a box", async () => {
  expect(await messages("box_missing", [wagon("a", { load: [{ box: theirs }] })])).toEqual([
    `Box ${theirs} is not in this project.`,
  ]);
  expect(
    await messages("box_of_person", [wagon("a", { load: [{ box }] })], { run_by: { profiles: ["Free"] } }),
  ).toEqual([`Agents that run this plan may have no right to box ${box}; it is checked at their launch.`]);
});

test("all problems are told at once, each at its place and path, in starting order", async () => {
  const { ok, problems } = await check([
    wagon("a", { target: { ref: "Nope" } }),
    { id: "f", kind: "fork", load: [{ box: "gone" }], tasks: [wagon("x"), wagon("y", { recipe: "nope" })] },
    wagon("b", { after: [{ node: "f" }], load: [{ card: "nocard" }] }),
  ]);
  expect(ok).toBe(false);
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, at, path }) => ({ code, at, path }))).toEqual([
    { code: "profile_missing", at: "a", path: "nodes.0.target.ref" },
    { code: "box_missing", at: "f.load.0", path: "nodes.1.load.0" },
    { code: "recipe_missing", at: "f.y", path: "nodes.1.tasks.1.recipe" },
    { code: "box_missing", at: "b.load.0", path: "nodes.2.load.0" },
  ]);
});

test("an input that is not filled in is a problem at the launch, and not before", async () => {
  const more = { inputs: [{ name: "what", kind: "text" }] };
  const nodes = [wagon("a", { instruction: "Do {input.what}" })];
  expect(await messages("input_missing", nodes, more)).toEqual([]);
  expect(await messages("input_missing", nodes, more, { inputs: {} })).toEqual(["Input what is not filled in."]);
  expect(await messages("input_missing", nodes, more, { inputs: { what: "smoke" } })).toEqual([]);
  const ofBox = { inputs: [{ name: "book", kind: "box" }] };
  const loads = [wagon("a", { load: [{ input: "book" }] })];
  expect(await found("box_missing", loads, ofBox, { inputs: { book: "nope" } })).toMatchObject([
    { path: "inputs.0", message: "Box nope is not in this project." },
  ]);
});

test("what would not fit is an error, what may not fit and what nearly fills the window are warnings", async () => {
  const small = { target: { ref: "Small" } };
  const [over] = await found("over_window", [wagon("a", { ...small, load: [{ box: heavy }] })]);
  expect(over).toMatchObject({ severity: "error", at: "a" });
  expect(over?.message).toMatch(/^It would not fit: ~\d+ tokens, at least \d+, window 400\.$/);
  const near = wagon("a", { ...small, instruction: "word ".repeat(330) });
  const [nearly] = await messages("near_window", [near]);
  expect(nearly).toMatch(/^(8|9)\d % of the window before the first step\.$/);
  const limited = wagon("a", { title: "Ann", load: [{ box: heavy }], context_tokens_max: 5 });
  const [limit] = await messages("over_limit", [limited]);
  expect(limit).toMatch(/^Ann is given \d+ tokens; its limit is 5\. Raise the limit, or load less\.$/);
});

test("a result that is not there yet is estimated from the last ones of its profile, or is not known", async () => {
  const plan = [wagon("a", { target: { ref: "Free" } }), wagon("b", { load: [{ from: "a" }] })];
  const before = await check(plan);
  expect(before.nodes[1]?.tokens).toMatchObject({ unknown: ["a"] });
  expect(before.nodes[1]?.tokens.estimated).toBeUndefined();
  for (const text of ["some short words", "a longer answer of many more words", "x"]) {
    const run = await launchPlan(planBody([wagon("a", { target: { ref: "Free" } })]));
    await endWagon(run.plan_run_id, "a", "success", { content: { kind: "text", text } });
  }
  const after = await check(plan);
  const { estimated, unknown, exact } = after.nodes[1]?.tokens ?? {};
  expect(unknown).toEqual([]);
  expect(estimated?.low).toBeLessThan(estimated?.likely ?? 0);
  expect(estimated?.likely).toBeLessThan(estimated?.high ?? 0);
  expect(exact).toBe(before.nodes[1]?.tokens.exact);
});

test("an earlier run lends its results, so that a late wagon's prompt can be read before anything runs", async () => {
  const nodes = [wagon("a"), wagon("b", { load: [{ from: "a" }] })];
  const run = await launchPlan(planBody(nodes));
  await endWagon(run.plan_run_id, "a", "success", { content: { kind: "text", text: "the answer is nine" } });
  const lent = { results_of: run.plan_run_id, prompt_of: "b", offer: readOffers };
  const { nodes: shown } = await check(nodes, {}, lent);
  expect(shown).toHaveLength(1);
  expect(JSON.stringify(shown[0]?.prompt?.messages)).toContain("the answer is nine");
  expect(shown[0]?.tokens.unknown).toEqual([]);
  await expect(check(nodes, {}, { results_of: "prun_nope" })).rejects.toMatchObject({ code: "not_found" });
});

test("secrets are counted: those that a recipe redacts, and those that travel", async () => {
  const load = [{ card: secret }];
  expect(await messages("secret", [wagon("a", { load })])).toEqual([
    `Card ${secret} holds 1 secret and travels as it is.`,
  ]);
  const handover = {
    context_packing_config: {
      pack_arguments: [{ arg_key: "instruction" }],
      inherit_context: { include_from_args: ["load"], redact: true },
    },
  };
  expect(await messages("secret", [wagon("a", { load, handover })])).toEqual([
    `1 secret would be redacted from card ${secret}.`,
  ]);
});

test("tasks that load the same after different things are told what they would share", async () => {
  const fork = {
    id: "f",
    kind: "fork",
    title: "Searches",
    tasks: [wagon("x", { load: [{ card: secret }, { box: heavy }] }), wagon("y", { load: [{ box: heavy }] })],
  };
  expect(await messages("prefix_breaks", [fork])).toEqual([
    expect.stringMatching(
      new RegExp(`^The tasks of Searches share 0 tokens; loading box ${heavy} first would make it \\d+\\.$`),
    ),
  ]);
  const first = { ...fork, load: [{ box: heavy }], tasks: [wagon("x", { load: [{ card: secret }] }), wagon("y")] };
  expect(await messages("prefix_breaks", [first])).toEqual([]);
});

test("as an agent: its policy, its boxes, its depth, and that it waits itself", async () => {
  const run = await launchPlan(
    planBody([wagon("a", { target: { ref: "Bound" } }), wagon("b", { target: { ref: "Free" } })]),
  );
  const agents = await rows<{ agent_id: string; profile_name: string }>(
    "SELECT agent_id, profile_name FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human",
    [run.root_turn_id],
  );
  const agentOf = (name: string) => agents.find(({ profile_name }) => profile_name === name)?.agent_id ?? "";
  const bound = { as: { agent_id: agentOf("Bound") } };
  expect(await messages("policy", [wagon("a")], {}, bound)).toEqual([
    "Bound may not delegate to Plain: its policy allows Other.",
  ]);
  const free = { as: { agent_id: agentOf("Free") } };
  expect(await messages("box_denied", [wagon("a", { load: [{ box }, { box: "nope" }] })], {}, free)).toEqual([
    `Box ${box} is not Free's to hand over. Load a copy you may, or ask a person.`,
    "Box nope is not Free's to hand over. Load a copy you may, or ask a person.",
  ]);
  const self = wagon("a", { title: "Ann", target: { strategy: "reuse", ref: free.as.agent_id } });
  expect(await messages("self", [self], {}, free)).toEqual([
    `Ann reuses ${free.as.agent_id}, which waits for this very plan. Clone it instead.`,
  ]);
  await rows("UPDATE state.agent_turns SET depth = 19 WHERE project_id = $1 AND agent_id = $2", [free.as.agent_id]);
  expect(await messages("depth", [wagon("a", { title: "Ann" })], {}, free)).toEqual([
    "Ann would run at depth 20, the limit is 20.",
  ]);
  await expect(check([wagon("a")], {}, { as: { agent_id: "nobody" } })).rejects.toMatchObject({ code: "not_found" });
});

test("a plan that the project cannot run yet is published only when that is accepted", async () => {
  const body = planBody([wagon("a", { target: { ref: "Later" } })], { name: "Later plan" });
  const input = { project_id: P, user: "ann", message: "", body };
  const before = await countRows(kernel);
  await expect(publishPlan(kernel, input)).rejects.toMatchObject({
    code: "invalid_plan",
    message: expect.stringContaining("Profile Later is not registered in this project."),
    detail: expect.objectContaining({ can_accept: true }),
  });
  expect(await countRows(kernel)).toEqual(before);
  expect(await publishPlan(kernel, { ...input, accept_problems: true })).toMatchObject({ is_new: true });
  // A launch is refused until it can run.
  await expect(launchPlan(undefined, { plan: "Later plan" })).rejects.toMatchObject({ code: "invalid_plan" });
});

test("above five million tokens no request is rendered: others would wait for it", async () => {
  const { box_id } = await boxOf(P, ["said to be long"]);
  const nodes = [wagon("a", { load: [{ box: box_id }] })];
  expect((await check(nodes, {}, { offer: readOffers })).nodes[0]?.request).toBeDefined();
  await kernel.db.pool.query("UPDATE card_boxes SET token_sum = 6000000 WHERE tenant_id = $1 AND box_id = $2", [
    P,
    box_id,
  ]);
  const [heavyOne] = (await check(nodes, {}, { offer: readOffers })).nodes;
  expect([heavyOne?.request, heavyOne?.cards]).toEqual([undefined, 4]);
});

test("with a prompt it tells the hand-over card by card: what each entry brings, what is kept out, and what is made", async () => {
  const { problems, nodes } = await check(
    [
      wagon("a"),
      wagon("b", {
        load: [{ box }, { from: "a" }, { card: secret }],
        handover: {
          context_packing_config: {
            pack_arguments: [{ arg_key: "tone", as_card_type: "task.context" }, { arg_key: "instruction" }],
            inherit_context: { include_from_args: ["load"], include_parent: true, redact: true },
            order: "inherited_first",
          },
        },
        arguments: { tone: "Short sentences" },
      }),
    ],
    {},
    { offer: readOffers, prompt_of: "b" },
  );
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const place = nodes.find((node) => node.place === "b");
  const { hand_over: handOver, loads } = place ?? {};
  expect(handOver?.order).toBe("inherited_first");
  expect(handOver?.entries.map(({ owner, index, card_count }) => [owner, index, card_count])).toEqual([
    ["b", 0, 2],
    ["b", 1, 0],
    ["b", 2, 1],
  ]);
  expect(handOver?.entries[0]?.cards.map(({ text }) => text)).toEqual(["one", "two"]);
  expect(handOver?.entries[2]).toMatchObject({ redacted: 1 });
  expect(handOver?.entries[2]?.cards[0]?.text).not.toContain("AKIAIOSFODNN7EXAMPLE");
  expect(handOver?.own.map(({ kind, type }) => [kind, type])).toEqual([
    ["argument", "task.context"],
    ["facts", "meta.delegation_context"],
    ["argument", "task.instruction"],
    ["pointer", "meta.parent_pointer"],
  ]);
  expect(handOver?.memory).toBeUndefined();
  // The stretches of the bar are of the same cards.
  expect(loads?.begins).toBe(0);
  expect(loads?.entries.map(({ tokens }) => tokens)).toEqual([
    handOver?.entries[0]?.tokens,
    0,
    handOver?.entries[2]?.tokens,
  ]);
  // Nobody else's hand-over is told, and none without being asked for.
  expect((await check([wagon("a", { load: [{ box }] })])).nodes[0]?.hand_over).toBeUndefined();
});

test("what a recipe leaves out stands with its entry, and a card that two entries bring stands with the first", async () => {
  const { nodes } = await check(
    [
      wagon("a", {
        load: [{ box }, { box: heavy }, { box }],
        handover: {
          context_packing_config: {
            pack_arguments: [{ arg_key: "instruction" }],
            inherit_context: { include_from_args: ["load"], include_types: ["task.instruction"] },
          },
        },
      }),
    ],
    {},
    { offer: readOffers, prompt_of: "a" },
  );
  const entries = nodes[0]?.hand_over?.entries ?? [];
  expect(entries.map(({ card_count }) => card_count)).toEqual([0, 0, 0]);
  expect(entries[0]?.left_out.reduce((sum, { cards }) => sum + cards, 0)).toBe(2);
  expect(entries[1]?.left_out.reduce((sum, { cards }) => sum + cards, 0)).toBe(1);
});
