// Copy and paste: each form that is understood, and what is said of the rest.
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan } from "@/server/testing/random-plans";
import { applyOps } from "./apply-op";
import { copyFragment } from "./fragment";
import { parsePlan } from "./parse-plan";
import { type PasteOptions, pasteOps } from "./paste-ops";
import { PLAN_BYTES_MAX, type Plan } from "./plan";
import { idsOf } from "./plan-words";
import { readClipboard } from "./read-clipboard";
import { fragmentYaml } from "./yaml/fragment-yaml";
import { readYaml } from "./yaml/parse-yaml";
import { toYaml } from "./yaml/to-yaml";

const planOf = (nodes: object[], more: object = {}): Plan => {
  const read = parsePlan({ switchyard: "plan/1", nodes, ...more });
  if ("fault" in read) throw new Error(`${read.fault.path} ${read.fault.message}`);
  return read.plan;
};
const plan = planOf(
  [
    { id: "frame", instruction: "Frame" },
    {
      id: "searches",
      kind: "fork",
      load: [{ from: "frame" }],
      tasks: [
        { id: "iron", instruction: "Iron" },
        { id: "flow", instruction: "Flow", load: [{ box: "b1" }] },
      ],
    },
    {
      id: "brief",
      target: { strategy: "reuse", ref: "@frame" },
      after: [{ node: "frame", on: "ended" }],
      load: [{ from: "searches.flow" }, { box: "b1" }, { from: "frame" }],
    },
  ],
  {
    layout: {
      places: { frame: { col: 1, row: 0 }, searches: { col: 3, row: 2 }, brief: { col: 4, row: -1 } },
      notes: [{ id: "why", text: "Because", col: 3, row: 1 }],
    },
  },
);
const selected = (...places: string[]) => copyFragment(plan, { places: new Set(places), notes: new Set(["why"]) });
const paste = (into: Plan, fragment: ReturnType<typeof selected>, options?: PasteOptions) => {
  const pasted = pasteOps(into, fragment, options);
  if ("refusal" in pasted) throw new Error(pasted.refusal.message);
  const next = applyOps(into, pasted.ops);
  if ("refusal" in next) throw new Error(next.refusal.message);
  return { plan: next.plan, ...pasted };
};

test("a copy has berths from its upper left corner; a task without its fork is a wagon that keeps who reads it", () => {
  expect(selected("searches", "brief")).toMatchObject({
    places: { searches: { col: 0, row: 3 }, brief: { col: 1, row: 0 } },
    notes: [{ id: "why", col: 0, row: 2 }],
  });
  const { nodes } = selected("searches.flow", "brief");
  expect(nodes).toMatchObject([
    { kind: "wagon", id: "flow", load: [{ box: "b1" }] },
    { id: "brief", load: [{ from: "flow" }, { box: "b1" }, { from: "frame" }] },
  ]);
});

test("pasted: free ids, what is inside stays, what came from outside is dropped or found again", () => {
  const fragment = selected("searches", "brief");
  const once = paste(plan, fragment, { at: { col: 10, row: 5 } });
  expect([once.nodes, once.notes]).toEqual([["searches-2", "brief-2"], ["why-2"]]);
  expect(once.plan.nodes.slice(0, 3)).toEqual(plan.nodes);
  expect(once.plan.nodes[3]).toMatchObject({
    load: [],
    tasks: [{ id: "iron" }, { id: "flow", load: [{ box: "b1" }] }],
  });
  expect(once.plan.nodes[4]).toMatchObject({ after: [], load: [{ from: "searches-2.flow" }, { box: "b1" }] });
  expect(once.plan.nodes[4]).not.toHaveProperty("target");
  expect(once.plan.layout.places).toMatchObject({ "searches-2": { col: 10, row: 8 }, "brief-2": { col: 11, row: 5 } });
  expect(paste(once.plan, fragment).nodes).toEqual(["searches-3", "brief-3"]);
  const kept = paste(plan, fragment, { keepOutside: true }).plan.nodes[4];
  expect(kept).toMatchObject({ target: { ref: "@frame" }, after: [{ node: "frame", on: "ended" }] });
  expect(kept?.load).toHaveLength(3);
  expect(paste(planOf([]), fragment, { keepOutside: true }).plan.nodes[1]).toMatchObject({ after: [] });
});

test("any copy goes over the clipboard as text and pastes anywhere, twice", () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, fc.func(fc.boolean()), fc.boolean(), (from, into, pick, keepOutside) => {
      const places = new Set(idsOf(from).filter((id) => pick(id)));
      const fragment = copyFragment(from, { places, notes: new Set(["n"]) });
      const read = readClipboard(fragmentYaml(fragment), readYaml);
      expect(read).toEqual({ kind: "fragment", fragment });
      paste(paste(into, fragment, { keepOutside }).plan, fragment, { at: { col: 1, row: 1 }, keepOutside });
    }),
    { numRuns: 50, seed: 31 },
  );
});

const read = (text: string) => readClipboard(text, readYaml);

test("a whole plan, a fragment as JSON, and an id are understood", () => {
  expect(read(toYaml(plan))).toEqual({ kind: "plan", plan });
  expect(read(JSON.stringify(plan, null, "\t"))).toEqual({ kind: "plan", plan });
  expect(read(JSON.stringify(selected("frame")))).toEqual({ kind: "fragment", fragment: selected("frame") });
  expect(read(" 01a1f0c2b10e7d3c8a55e0f1b2c3d4e5\n")).toEqual({ kind: "id", id: "01a1f0c2b10e7d3c8a55e0f1b2c3d4e5" });
});

test("the arguments of a delegation or a fork become its nodes", () => {
  const task = {
    target_strategy: "new",
    target_ref: "Search",
    instruction: "Find it",
    context_box_id: "b1",
    context_card_ids: ["c1"],
  };
  const wagon = {
    target: { strategy: "new", ref: "Search" },
    instruction: "Find it",
    load: [{ box: "b1" }, { card: "c1" }],
  };
  const launch = { tool: "delegate_async", args: task };
  for (const body of [task, launch])
    expect(read(JSON.stringify(body))).toMatchObject({
      fragment: { nodes: [{ kind: "wagon", id: "find-it", ...wagon }] },
    });
  expect(read(JSON.stringify({ tasks: [task, task], fail_fast: "yes", deadline_seconds: 60 }))).toMatchObject({
    fragment: {
      nodes: [
        {
          kind: "fork",
          gate: { fail_fast: true, deadline_seconds: 60 },
          tasks: [{ id: "find-it" }, { id: "find-it-2" }],
        },
      ],
    },
  });
});

test.each([
  "Compare the two.\nBe brief.",
  "{input.question}",
  "[1] first",
  "nodes: some words",
  "- a list\n- of words",
])("words become a wagon without a target: %j", (text) =>
  expect(read(text)).toMatchObject({ kind: "fragment", fragment: { nodes: [{ kind: "wagon", instruction: text }] } }),
);

test.each([
  ["switchyard: plan/1\nnodes:\n  - id: a\n    target: {strategy: new}\n", "line 4, nodes.0.target.ref is missing."],
  ["switchyard: fragment/1\nnodes:\n  - id: a\n  - id: a\n", /^line 4, nodes\.1\.id: a is taken by another node/],
  ["switchyard: plan/2\n", /^line 1, switchyard: expected "plan\/1"; received "plan\/2"\.$/],
  ["switchyard: plan/1\nnodes: [\n", /^line 3, /],
  ['{"colour": 1}', "line 1, switchyard is missing."],
  ['{"tasks": [\n{"target_strategy": "new", "instruction": "x"}]}', "line 2, tasks.0.target_ref is missing."],
  ['{"switchyard": "plan/1",\n"__proto__": {}}', /^line 2, __proto__: the name is not allowed/],
  ["  \n", "it is empty."],
])("refused: %j", (text, said) => {
  const pasted = read(text);
  if (pasted.kind !== "refused") throw new Error("it was understood");
  const [, rest = ""] = pasted.message.split("This is no plan: ");
  expect(rest).toMatch(typeof said === "string" ? new RegExp(`^${said.replaceAll(".", "\\.")}$`) : said);
});

test.each([
  ["words", "word ".repeat(2_000_000)],
  ["words of three bytes a character", "語".repeat(PLAN_BYTES_MAX / 3 + 1)],
  ["a plan", `switchyard: plan/1\ndescription: ${"x".repeat(PLAN_BYTES_MAX)}\n`],
  ["JSON", JSON.stringify({ instruction: "x".repeat(PLAN_BYTES_MAX) })],
])("%s above 4 MiB are refused before they are read", (_what, text) => {
  const pasted = readClipboard(text, () => {
    throw new Error("it was read");
  });
  expect(pasted).toEqual({
    kind: "refused",
    message: "Not pasted: the text is larger than 4 MiB, the most a plan may have. Load long texts as cards.",
  });
});

test("words of 4 MiB are a wagon", () => {
  const text = "x".repeat(PLAN_BYTES_MAX);
  expect(read(text)).toMatchObject({ kind: "fragment", fragment: { nodes: [{ instruction: text }] } });
});
