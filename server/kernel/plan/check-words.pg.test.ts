// Every problem that only the kernel finds, word for word, each beside a plan that differs in what the message asks for and has
// it no more.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KernelCode, kernelSeverity } from "@/server/contract/plan/kernel-check";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { planBody, plansOf, wagon } from "@/server/testing/plan-runs";
import { scripted } from "@/server/testing/turns";
import { createBoxes } from "../cardbox/create-boxes";
import { insertCards } from "../cardbox/insert-cards";
import { insertAgents } from "../roster/insert-agents";
import { registerWorker } from "../turns/register-worker";
import { withUnit } from "../unit";
import { type CheckPlan, checkPlan } from "./check-plan";
import { parseBody } from "./parse-body";

let kernel: TestKernel;
const P = "check_words";
const { launchPlan, endWagon, rows } = plansOf(() => kernel, P);
/** Ids that the rows below name before they exist. */
const ids: Record<string, string> = {};

const boxOf = (texts: string[]): Promise<{ box_id: string; card_id: string }> =>
  withUnit(kernel, async (unit) => {
    const cards = await insertCards(unit, {
      project_id: P,
      cards: texts.map((content) => ({ type: "task.input", author_id: "ann", content })),
    });
    const [made] = await createBoxes(unit, {
      project_id: P,
      boxes: [{ kind: "context", items: cards.map((card) => ({ ...card, origin: "given" })) }],
    });
    return { box_id: made?.box_id ?? "", card_id: cards[0]?.card_id ?? "" };
  });

beforeAll(async () => {
  kernel = await openTestKernel();
  const done = [{ deliver: "done" }];
  await seedProject(kernel, P, [
    scripted("Plain", done),
    scripted("Free", done, { delegation_policy: { target_tags: [] } }),
    scripted("Bound", done, { delegation_policy: { target_profiles: ["Other"] } }),
    scripted("Tagged", done, { delegation_policy: { target_tags: ["safe"] } }),
    scripted("Other", done, { tags: ["safe"] }),
    scripted("Deep", done, { delegation_policy: { target_tags: [] } }),
    scripted("Lonely", done, { worker_target: "worker_nowhere" }),
    { name: "Small", llm_config: { model: "scripted/demo", context_window: 400 } },
  ]);
  const [plain, heavy, secret] = [
    await boxOf(["one"]),
    await boxOf(["word ".repeat(600)]),
    await boxOf(["the key is AKIAIOSFODNN7EXAMPLE"]),
  ];
  Object.assign(ids, { box: plain.box_id, card: plain.card_id, heavy: heavy.box_id, secret: secret.card_id });
  // Agents that wait for a plan of theirs, and one that has written nothing.
  const run = await launchPlan(
    planBody(["Free", "Bound", "Deep"].map((ref, i) => wagon(`w${i}`, { target: { ref } }))),
  );
  const agents = await rows<{ agent_id: string; profile_name: string }>(
    "SELECT agent_id, profile_name FROM state.agent_turns WHERE project_id = $1 AND root_turn_id = $2 AND NOT is_human",
    [run.root_turn_id],
  );
  for (const { agent_id, profile_name } of agents) ids[profile_name] = agent_id;
  await rows("UPDATE state.agent_turns SET depth = 19 WHERE project_id = $1 AND agent_id = $2", [ids.Deep]);
  const profile = await rows<{ profile_box_id: string }>(
    "SELECT profile_box_id FROM resource.profiles WHERE project_id = $1 AND name = 'Plain'",
  );
  await withUnit(kernel, (unit) =>
    insertAgents(unit, {
      project_id: P,
      agents: [
        {
          agent_id: "unwritten",
          profile_box_id: profile[0]?.profile_box_id ?? "",
          profile_name: "Plain",
          worker_target: "worker_generic",
          tags: [],
          action: "provision",
        },
      ],
    }),
  );
  await registerWorker(kernel, { worker_id: "w1", targets: ["worker_generic"], version: "test" });
  // Its results are of very different lengths.
  for (const words of [1, 60, 600]) {
    const some = await launchPlan(planBody([wagon("a", { target: { ref: "Other" } })]));
    const content = { kind: "text" as const, text: "word ".repeat(words) };
    await endWagon(some.plan_run_id, "a", "success", { content });
  }
});
afterAll(() => kernel.close());

type Row = {
  code: KernelCode;
  nodes: () => object[];
  more?: object;
  input?: () => Partial<CheckPlan>;
  says: () => string | RegExp;
  /** What differs in the plan that is accepted. */
  good: () => { nodes?: object[]; more?: object; input?: Partial<CheckPlan> };
};
const ann = (more: object = {}) => wagon("a", { title: "Ann", ...more });
const asAgent = (name: string) => () => ({ as: { agent_id: ids[name] ?? "" } });
const question = { inputs: [{ name: "q", kind: "text" }] };
const small = { target: { ref: "Small" } };
const anyOther = { ...wagon("o", { target: { ref: "Other" } }) };

const faults: Row[] = [
  {
    code: "input_missing",
    nodes: () => [ann({ load: [{ input: "q" }] })],
    more: question,
    input: () => ({ inputs: {} }),
    says: () => "Input q is not filled in.",
    good: () => ({ input: { inputs: { q: "why" } } }),
  },
  {
    code: "profile_missing",
    nodes: () => [ann({ target: { ref: "Nope" } })],
    says: () => "Profile Nope is not registered in this project.",
    good: () => ({ nodes: [ann()] }),
  },
  {
    code: "profile_missing",
    nodes: () => [ann({ target: { ref: "Plain", profile_box_id: ids.box } })],
    says: () => `Box ${ids.box} is not a version of profile Plain.`,
    good: () => ({ nodes: [ann()] }),
  },
  {
    code: "agent_missing",
    nodes: () => [ann({ target: { strategy: "reuse", ref: "nobody" } })],
    says: () => "Agent nobody is not in this project.",
    good: () => ({ nodes: [ann({ target: { strategy: "reuse", ref: ids.Free } })] }),
  },
  {
    code: "nothing_to_clone",
    nodes: () => [ann({ target: { strategy: "clone", ref: "unwritten" } })],
    says: () => 'Agent unwritten has no output box yet, so there is nothing to clone. Use "new" with Plain.',
    good: () => ({ nodes: [ann()] }),
  },
  {
    code: "may_repeat",
    nodes: () => [ann({ target: { ref: "Free" } })],
    more: { run_by: { profiles: ["Free"] } },
    says: () =>
      "Ann runs Free, which may run this plan: it may start the plan again, down to depth 20. Take Free out of run_by, or give the step to another profile.",
    good: () => ({ nodes: [ann()] }),
  },
  {
    code: "recipe_missing",
    nodes: () => [ann({ recipe: "nope" })],
    says: () => "Recipe nope does not exist.",
    good: () => ({ nodes: [ann({ recipe: "instruction" })] }),
  },
  {
    code: "recipe_missing",
    nodes: () => [ann({ recipe: "instruction@7" })],
    says: () => "Recipe instruction has no version 7; the newest is 1.",
    good: () => ({ nodes: [ann({ recipe: "instruction@1" })] }),
  },
  {
    code: "recipe_argument",
    nodes: () => [ann({ arguments: { tone: "warm" } })],
    says: () => "Ann: arguments.tone: the recipe does not use this argument. It takes input_box_ids, input_card_ids",
    good: () => ({ nodes: [ann({ arguments: { input_box_ids: [ids.box] } })] }),
  },
  ...["instruction", "load", "profile_name"].map(
    (name): Row => ({
      code: "recipe_argument",
      nodes: () => [ann({ arguments: { [name]: "mine" } })],
      says: () => new RegExp(`^Ann: arguments\\.${name}: `),
      good: () => ({ nodes: [ann()] }),
    }),
  ),
  {
    code: "recipe_argument",
    nodes: () => [ann(withArguments(21))],
    says: () => "Ann: arguments: at most 20 arguments. Take some away, or put them into one.",
    good: () => ({ nodes: [ann(withArguments(20))] }),
  },
  {
    code: "box_denied",
    nodes: () => [ann({ load: [{ box: ids.box }] })],
    input: asAgent("Free"),
    says: () => `Box ${ids.box} is not Free's to hand over. Load a copy you may, or ask a person.`,
    good: () => ({ nodes: [ann()] }),
  },
  {
    code: "box_missing",
    nodes: () => [ann({ load: [{ box: "nope" }] })],
    says: () => "Box nope is not in this project.",
    good: () => ({ nodes: [ann({ load: [{ box: ids.box }] })] }),
  },
  {
    code: "box_missing",
    nodes: () => [ann({ load: [{ card: "nope" }] })],
    says: () => "Card nope is not in this project.",
    good: () => ({ nodes: [ann({ load: [{ card: ids.card }] })] }),
  },
  {
    code: "box_of_person",
    nodes: () => [ann({ load: [{ card: ids.card }] })],
    more: { run_by: { profiles: ["Free"] } },
    says: () => `Agents that run this plan may have no right to card ${ids.card}; it is checked at their launch.`,
    good: () => ({ more: {} }),
  },
  {
    code: "policy",
    nodes: () => [ann()],
    input: asAgent("Bound"),
    says: () => "Bound may not delegate to Plain: its policy allows Other.",
    good: () => ({ nodes: [ann({ target: { ref: "Other" } })] }),
  },
  {
    code: "policy",
    nodes: () => [ann()],
    more: { run_by: { profiles: ["Tagged"] } },
    says: () => "Tagged may not delegate to Plain: its policy allows tags safe.",
    good: () => ({ nodes: [ann({ target: { ref: "Other" } })] }),
  },
  {
    code: "self",
    nodes: () => [ann({ target: { strategy: "reuse", ref: ids.Free } })],
    input: asAgent("Free"),
    says: () => `Ann reuses ${ids.Free}, which waits for this very plan. Clone it instead.`,
    good: () => ({ nodes: [ann({ target: { strategy: "clone", ref: ids.Free } })] }),
  },
  {
    code: "over_window",
    nodes: () => [ann({ ...small, load: [{ box: ids.heavy }] })],
    says: () => /^It would not fit: ~\d+ tokens, at least \d+, window 400\.$/,
    good: () => ({ nodes: [ann({ ...small, load: [{ box: ids.box }] })] }),
  },
  {
    code: "may_not_fit",
    nodes: () => [anyOther, ann({ ...small, load: [{ from: "o" }] })],
    says: () => /^It may not fit: ~\d+ tokens, up to \d+, window 400\.$/,
    good: () => ({ nodes: [anyOther, ann({ load: [{ from: "o" }] })] }),
  },
  {
    code: "near_window",
    nodes: () => [ann({ ...small, instruction: "word ".repeat(330) })],
    says: () => /^\d\d % of the window before the first step\.$/,
    good: () => ({ nodes: [ann(small)] }),
  },
  {
    code: "over_limit",
    nodes: () => [ann({ context_tokens_max: 5 })],
    says: () => /^Ann is given \d+ tokens; its limit is 5\. Raise the limit, or load less\.$/,
    good: () => ({ nodes: [ann({ context_tokens_max: 5_000 })] }),
  },
  {
    code: "secret",
    nodes: () => [ann({ load: [{ card: ids.secret }] })],
    says: () => `Card ${ids.secret} holds 1 secret and travels as it is.`,
    good: () => ({ nodes: [ann({ load: [{ card: ids.card }] })] }),
  },
  {
    code: "no_worker",
    nodes: () => [ann({ target: { ref: "Lonely" } })],
    says: () => "No worker takes turns for worker_nowhere.",
    good: () => ({ nodes: [ann()] }),
  },
  {
    code: "prefix_breaks",
    nodes: () => [fork([{ card: ids.card }, { box: ids.heavy }])],
    says: () =>
      new RegExp(`^The tasks of Searches share 0 tokens; loading box ${ids.heavy} first would make it \\d+\\.$`),
    good: () => ({ nodes: [fork([{ box: ids.heavy }, { card: ids.card }])] }),
  },
  {
    code: "instruction_long",
    nodes: () => [ann({ instruction: "{input.q} ".repeat(3) })],
    more: question,
    input: () => ({ inputs: { q: "x".repeat(400_000) } }),
    says: () => "Ann's instruction is over 1 MiB with its inputs. Load the text as a card.",
    good: () => ({ nodes: [ann({ load: [{ input: "q" }] })] }),
  },
  {
    code: "depth",
    nodes: () => [ann()],
    input: asAgent("Deep"),
    says: () => "Ann would run at depth 20, the limit is 20.",
    good: () => ({ input: { as: { user: "ann" } } }),
  },
];

function fork(load: object[]) {
  return {
    id: "f",
    kind: "fork",
    title: "Searches",
    tasks: [wagon("x", { load }), wagon("y", { load: [{ box: ids.heavy }] })],
  };
}

function withArguments(count: number) {
  const names = Array.from({ length: count }, (_, i) => `arg${i}`);
  const pack_arguments = [
    { arg_key: "instruction" },
    ...names.map((arg_key) => ({ arg_key, as_card_type: "task.context" })),
  ];
  return {
    arguments: Object.fromEntries(names.map((name) => [name, name])),
    handover: { context_packing_config: { pack_arguments } },
  };
}

const found = async (code: KernelCode, nodes: object[], more: object, input: Partial<CheckPlan>) => {
  const plan = parseBody(planBody(nodes, more));
  const { problems } = await checkPlan(kernel, { project_id: P, plan, as: { user: "ann" }, ...input });
  return problems.filter((one) => one.code === code);
};

describe.each(faults.map((row, i) => [`${row.code}, row ${i}`, row] as const))("%s", (_, row) => {
  const { code, nodes, more = {}, input = () => ({}), says, good } = row;
  test("is found once, with its severity and its words", async () => {
    const problems = await found(code, nodes(), more, input());
    const words = says();
    expect(problems.map(({ severity, message }) => ({ severity, message }))).toEqual([
      { severity: kernelSeverity[code], message: typeof words === "string" ? words : expect.stringMatching(words) },
    ]);
  });
  test("its neighbour has it no more", async () => {
    const mended = good();
    expect(await found(code, mended.nodes ?? nodes(), mended.more ?? more, mended.input ?? input())).toEqual([]);
  });
});

test("every code has its rows", () => {
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(Object.keys(kernelSeverity)));
});
