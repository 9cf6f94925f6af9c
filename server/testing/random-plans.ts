// Random plans and operations for property tests. Ids come from a small pool, so that references meet and collide.
import fc from "fast-check";
import type { PlanOpInput } from "../contract/plan/op";
import { parsePlan } from "../contract/plan/parse-plan";
import type { Plan } from "../contract/plan/plan";
import { idsOf } from "../contract/plan/plan-words";

const IDS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const TASKS = ["t", "u", "v", "w"];
const PLACES = [...IDS, ...IDS.flatMap((id) => TASKS.map((task) => `${id}.${task}`))];
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const optional = { requiredKeys: [] as [] };

const on = oneOf("delivered" as const, "success" as const, "failed" as const, "ended" as const);
const after = fc.record({ node: oneOf(...PLACES), on });
const load = fc.oneof(
  fc.record({ input: oneOf("x", "y") }),
  fc.record({ box: oneOf("box1", "box2") }),
  fc.record({ card: oneOf("card1") }),
  fc.record({
    from: oneOf(...PLACES),
    take: oneOf("deliverable" as const, "output" as const, "summary" as const),
  }),
);
const target = fc.record({
  strategy: oneOf("new" as const, "reuse" as const, "clone" as const),
  ref: fc.oneof(
    oneOf(...PLACES).map((place) => `@${place}`),
    oneOf("Searcher", "Writer"),
  ),
});
const text = fc.oneof(
  oneOf("Do it", "two\nlines", "", "a: b # c", "- x", "'", "yes", "1.0", " x ", "日本"),
  fc.string(),
);
const rider = {
  title: text.map((words) => words.slice(0, 80)),
  target,
  instruction: text,
  load: fc.array(load, { maxLength: 3 }),
  recipe: oneOf("brief", "brief@2"),
  arguments: fc.dictionary(oneOf("k", "l"), oneOf<null | number | string | string[]>(null, 1, "v", ["w"])),
  attempts: fc.integer({ min: 1, max: 5 }),
};
const task = (id: string) => fc.record({ id: fc.constant(id), ...rider }, { requiredKeys: ["id"] });
const order = {
  after: fc.array(after, { maxLength: 3 }),
  hold: fc.boolean(),
  disabled: fc.boolean(),
};
const node = (id: string) =>
  fc.oneof(
    fc.record(
      { id: fc.constant(id), kind: oneOf("wagon", "ask"), ...rider, ...order },
      { requiredKeys: ["id", "kind"] },
    ),
    fc.record(
      {
        id: fc.constant(id),
        kind: fc.constant("fork"),
        title: oneOf("Three", "Two"),
        ...order,
        load: fc.array(load, { maxLength: 2 }),
        gate: fc.record({ fail_fast: fc.boolean(), max_parallel: fc.integer({ min: 1, max: 9 }) }, optional),
        tasks: fc.subarray(TASKS).chain((ids) => fc.tuple(...ids.map(task))),
      },
      { requiredKeys: ["id", "kind"] },
    ),
  );
const berth = fc.record({ col: fc.nat(20), row: fc.integer({ min: -5, max: 5 }) });

/** A plan that parses: what refers to nothing is left out. */
export const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    name: text.map((words) => words.slice(0, 100)),
    inputs: fc.subarray(["x", "y"]).map((names) => names.map((name) => ({ name, kind: "text" }))),
    nodes: fc.shuffledSubarray(IDS).chain((ids) => fc.tuple(...ids.map(node))),
    result: fc.option(oneOf(...IDS), { nil: undefined }),
    limits: fc.record({ turns_max: fc.integer({ min: 1, max: 9 }), cost_max: oneOf(0.5, 2) }, optional),
    places: fc.dictionary(oneOf(...PLACES), berth),
    notes: fc.uniqueArray(fc.record({ id: oneOf("n", "m"), text }), { selector: ({ id }) => id, maxLength: 2 }),
  })
  .map(({ places, notes, ...body }) => {
    const standing = notes.map((note, i) => ({ ...note, col: i, row: i }));
    return planOf({ switchyard: "plan/1", ...body, layout: { places, notes: standing } });
  });

function planOf(body: { nodes: object[]; result?: string; [field: string]: unknown }): Plan {
  const places = new Set(placesOf(body.nodes as Loose[]));
  const nodes = body.nodes.map((given) => known(given, places));
  const read = parsePlan({ ...body, nodes, result: body.result && places.has(body.result) ? body.result : undefined });
  if ("fault" in read) throw new Error(`${read.fault.path}: ${read.fault.message}`);
  return JSON.parse(JSON.stringify(read.plan)) as Plan;
}

type Loose = {
  id?: string;
  after?: { node: string }[];
  load?: object[];
  target?: { strategy: string; ref: string };
  tasks?: object[];
};

const placesOf = (nodes: Loose[]): string[] =>
  nodes.flatMap(({ id, tasks }) => [`${id}`, ...(tasks ?? []).map((task) => `${id}.${(task as Loose).id}`)]);

function known<T extends Loose>(given: T, places: ReadonlySet<string>): T {
  const next = { ...given };
  if (next.after) next.after = next.after.filter(({ node }) => places.has(node));
  if (next.load) next.load = next.load.filter((entry) => !("from" in entry) || places.has(String(entry.from)));
  if (next.tasks) next.tasks = next.tasks.map((inner) => known(inner as Loose, places));
  if (next.target?.strategy !== "new" && next.target?.ref.startsWith("@") && !places.has(next.target.ref.slice(1)))
    delete next.target;
  return next;
}

const pointers: [string, unknown[]][] = [
  ["/title", ["New title", undefined, 5]],
  ["/instruction", ["Other words", undefined]],
  ["/hold", [true, false, "yes"]],
  ["/kind", ["ask", "wagon", "fork"]],
  ["/id", ["a", "h", "q", "t", "z", "A"]],
  ["/target", [{ ref: "Reader" }, undefined, { strategy: "reuse", ref: "@a" }]],
  ["/target/ref", ["@b", "Reader", undefined]],
  ["/load", [[], [{ input: "x" }, { from: "a" }]]],
  ["/load/0", [{ box: "box3" }, undefined]],
  ["/load/0/take", ["output", undefined]],
  ["/after/0/node", ["a", "b"]],
  ["/arguments/k", [{ deep: [1, 2] }, undefined]],
  ["/gate/max_parallel", [4, undefined, -1]],
  ["/handover", [{}, undefined]],
  ["/recipe", ["brief@3", undefined]],
  [
    "",
    [
      { kind: "wagon", id: "a" },
      { kind: "fork", id: "a", tasks: [{ id: "t" }] },
    ],
  ],
  ["/name", ["Another"]],
  ["/inputs/0", [{ name: "z", kind: "box" }, undefined]],
  ["/inputs", [[]]],
  ["/result", ["a", undefined, "q"]],
  ["/limits/turns_max", [3, undefined, 0]],
];

/** An operation for this plan, made of numbers: mostly one that applies. */
export function opFrom(plan: Plan, [kind, a, b, c]: Numbers): PlanOpInput {
  const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
  const place = pick([...idsOf(plan), "q"], a) ?? "q";
  const top = pick([...plan.nodes.map(({ id }) => id), "q"], a) ?? "q";
  const other = pick([...idsOf(plan), "q"], b) ?? "q";
  const at = plan.nodes.find(({ id }) => id === top);
  const track = pick(at?.after ?? [], b) ?? { node: other, on: "ended" as const };
  const [forkId = "", taskId] = place.split(".");
  const holder = plan.nodes.find(({ id }) => id === forkId);
  const rider = holder?.kind === "fork" && taskId ? holder.tasks.find(({ id }) => id === taskId) : holder;
  const load = pick(rider?.load ?? [], b) ?? { box: "box1" };
  const [path, values] = pick(pointers, b) ?? ["", []];
  const id = pick(IDS, b) ?? "q";
  const newTask = { id: pick(TASKS, b) ?? "t", load: [{ from: other }], instruction: "New" };
  const ops: PlanOpInput[] = [
    { op: "add_node", node: { kind: "wagon", id, after: [{ node: other }], load: [{ from: other }] }, at: c % 9 },
    { op: "add_node", node: { kind: "fork", id, tasks: [newTask] } },
    { op: "move_node", node: top, at: c % 8 },
    { op: "remove_node", node: place },
    { op: "set", node: place, path, value: pick(values, c) as string },
    { op: "set", path, value: pick(values, c) as string },
    { op: "add_task", fork: top, task: newTask, at: c % 3 },
    { op: "move_task", task: place, at: c % 3 },
    { op: "move_task", task: place, fork: pick(plan.nodes, b)?.id ?? "q" },
    { op: "add_track", to: top, track: { node: other, on: "success" }, at: c % 3 },
    { op: "set_track", to: top, track, with: { node: other, on: "failed" }, index: c % 3 },
    { op: "remove_track", to: top, track, index: c % 3 },
    { op: "add_load", to: place, load: { from: other, take: "output" }, at: c % 3 },
    { op: "move_load", to: place, load, at: c % 3, index: b % 3 },
    { op: "remove_load", to: place, load, index: b % 3 },
    { op: "place", places: { [place]: c % 3 === 0 ? null : { col: b % 50, row: c % 50 } } },
    { op: "add_note", note: { id: pick(["n", "m", "o"], a) ?? "n", text: "Note", col: 1, row: c % 9 }, at: b % 2 },
    { op: "set_note", note: { id: pick(["n", "m", "o"], a) ?? "n", text: "Other", col: 1, row: c % 9 } },
    { op: "remove_note", note: pick(["n", "m", "o"], a) ?? "n" },
  ];
  return ops[kind % ops.length] as PlanOpInput;
}

export type Numbers = readonly [number, number, number, number];
export const numbers: fc.Arbitrary<Numbers> = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat());
