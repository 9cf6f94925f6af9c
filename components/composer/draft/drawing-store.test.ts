// Operations, undo and redo of the composer: every gesture is one step, and taking it back gives the very plan.
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { idsOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { createDrawingStore } from "./drawing-store";
import {
  adding,
  addingBefore,
  addingTask,
  askingBeside,
  coupling,
  removing,
  setting,
  splicing,
  toggling,
  uncoupling,
} from "./edits";
import { STEPS_MAX } from "./history";
import { tidying } from "./tidying";

const empty = (): Plan => PlanShape.parse({ switchyard: "plan/1" });
const target = { strategy: "new" as const, ref: "Searcher" };

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-01-01T00:00:00Z") });
  return () => vi.useRealTimers();
});

describe("steps", () => {
  it("a gesture is one step, undone and done again as a whole", () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "wagon", target }));
    const one = store.get().plan;
    store.change(adding(one, { kind: "fork", target }, { behind: "searcher" }));
    const two = store.get().plan;
    expect(two.nodes.map(({ id }) => id)).toEqual(["searcher", "searcher-2"]);
    expect(two.nodes[1]?.load).toEqual([{ from: "searcher", take: "deliverable" }]);
    store.undo();
    expect(store.get().plan).toEqual(one);
    expect(store.get().said.text).toBe("Undone: searcher-2 added");
    store.undo();
    expect(store.get().plan).toEqual(empty());
    store.redo();
    store.redo();
    expect(store.get().plan).toEqual(two);
  });

  it("typing into one field is one step until it rests, and another field begins a new one", () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "wagon", target }));
    const type = (path: string, text: string) =>
      store.change(setting(store.get().plan, "searcher", path, text, "typed", true));
    for (const text of ["S", "Se", "Sea"]) type("/instruction", text);
    type("/title", "T");
    expect(store.get().history.past).toHaveLength(3);
    vi.advanceTimersByTime(1_500);
    type("/title", "Ti");
    expect(store.get().history.past).toHaveLength(4);
    store.undo();
    store.undo();
    store.undo();
    expect(store.get().plan.nodes[0]).toMatchObject({ instruction: "" });
  });

  it("what would be refused changes nothing and says why", () => {
    const store = createDrawingStore(empty());
    const before = store.get();
    const refused = store.change({ label: "x", ops: [{ op: "remove_node", node: "gone" }] });
    expect(refused?.message).toContain("gone");
    expect(store.get().plan).toBe(before.plan);
    expect(store.get().history).toBe(before.history);
    expect(store.get().said.text).toBe(refused?.message);
  });

  it("keeps the last steps only", () => {
    const store = createDrawingStore(empty());
    for (let i = 0; i < STEPS_MAX + 5; i++) store.change(setting(store.get().plan, null, "/description", `${i}`, "d"));
    expect(store.get().history.past).toHaveLength(STEPS_MAX);
  });

  it("steps of another plan are let go instead of breaking it", () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "wagon", target }));
    const { history } = store.get();
    const other = createDrawingStore(empty(), history);
    other.undo();
    expect(other.get().plan).toEqual(empty());
    expect(other.get().history.past).toEqual([]);
  });

  it("a locked drawing takes nothing", () => {
    const store = createDrawingStore(empty());
    store.lock("This draft was changed in another tab or browser.");
    expect(store.change(adding(empty(), { kind: "wagon" }))?.message).toBe(
      "This draft was changed in another tab or browser.",
    );
    expect(store.get().plan.nodes).toEqual([]);
  });
});

describe("nothing moves by itself", () => {
  it("what stands keeps its place when something is added, coupled, or taken away beside it", () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "wagon", target }));
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "Next" }, { behind: "searcher" }));
    store.change({ label: "moved", ops: [{ op: "place", places: { next: { col: 4, row: 3 } } }] });
    const stood = store.get().plan.layout.places;
    store.change(adding(store.get().plan, { kind: "fork", target, title: "Forked" }, { behind: "searcher" }));
    store.change(askingBeside(store.get().plan, { kind: "ask", target, title: "Asked" }, "forked"));
    store.change(removing(store.get().plan, ["forked"]));
    const now = store.get().plan.layout.places;
    expect(now.searcher).toEqual(stood.searcher);
    expect(now.next).toEqual({ col: 4, row: 3 });
  });

  it("a splice moves what follows, and nothing else", () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "a" }));
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "b" }, { behind: "a" }));
    const before = store.get().plan.layout.places;
    store.change(splicing(store.get().plan, { kind: "wagon", target, title: "between" }, { from: "a", to: "b" }));
    const { nodes, layout } = store.get().plan;
    expect(nodes.map(({ id }) => id)).toEqual(["a", "between", "b"]);
    expect(nodes[2]?.load).toEqual([{ from: "between", take: "deliverable" }]);
    expect(layout.places.a).toEqual(before.a);
    expect(layout.places.between?.col).toBe(2);
    expect(layout.places.b?.col).toBe(3);
  });
});

describe("gestures", () => {
  const drawn = () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "a" }));
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "b" }, { behind: "a" }));
    return store;
  };

  it("a wagon becomes a fork of two under the same id, and its followers stay", () => {
    const store = drawn();
    store.change(addingTask(store.get().plan, "a", null));
    const [fork] = store.get().plan.nodes;
    expect(fork).toMatchObject({ id: "a", kind: "fork", tasks: [{ id: "task-1", title: "a" }, { id: "task-2" }] });
    expect(store.get().plan.nodes[1]?.load).toEqual([{ from: "a", take: "deliverable" }]);
    expect(store.get().selection).toEqual(["a.task-2"]);
  });

  it("what is added before a node takes over its tracks", () => {
    const store = drawn();
    store.change(addingBefore(store.get().plan, { kind: "wagon", target, title: "c" }, "b"));
    const byId = new Map(store.get().plan.nodes.map((node) => [node.id, node]));
    expect(byId.get("c")?.load).toEqual([{ from: "a", take: "deliverable" }]);
    expect(byId.get("b")?.load).toEqual([{ from: "c", take: "deliverable" }]);
  });

  it("a track with the output box, or with order alone; and it is taken away with all that made it", () => {
    const store = drawn();
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "c" }));
    store.change(coupling(store.get().plan, "b", "c", "output"));
    store.change(coupling(store.get().plan, "a", "c", "order"));
    expect(store.get().plan.nodes[2]).toMatchObject({ load: [{ from: "b", take: "output" }], after: [{ node: "a" }] });
    store.change(uncoupling(store.get().plan, "b", "c"));
    store.change(uncoupling(store.get().plan, "a", "c"));
    expect(store.get().plan.nodes[2]).toMatchObject({ load: [], after: [] });
  });

  it("an ask beside a node is asked after what that waits for, and read by what follows it", () => {
    const store = drawn();
    store.change(adding(store.get().plan, { kind: "wagon", target, title: "c" }, { behind: "b" }));
    store.change(askingBeside(store.get().plan, { kind: "ask", target, title: "q" }, "b"));
    const byId = new Map(store.get().plan.nodes.map((node) => [node.id, node]));
    expect(byId.get("q")?.load).toEqual([{ from: "a", take: "deliverable" }]);
    expect(byId.get("c")?.load).toContainEqual({ from: "q", take: "deliverable" });
  });

  it("the last task that goes takes its fork with it", () => {
    const store = createDrawingStore(empty());
    store.change(adding(store.get().plan, { kind: "fork", target, title: "f" }));
    const tasks = idsOf(store.get().plan).filter((id) => nodeIdOf(id) !== id);
    store.change(removing(store.get().plan, tasks));
    expect(store.get().plan.nodes).toEqual([]);
  });
});

it("whatever was done, all of it can be taken back and done again", () => {
  const gesture = fc.tuple(fc.nat(9), fc.nat(20), fc.nat(20));
  fc.assert(
    fc.property(fc.array(gesture, { maxLength: 24 }), (gestures) => {
      const store = createDrawingStore(empty());
      const seen: Plan[] = [store.get().plan];
      for (const [kind, a, b] of gestures) {
        const { plan } = store.get();
        const ids = idsOf(plan);
        const [one, two] = [ids[a % Math.max(1, ids.length)], ids[b % Math.max(1, ids.length)]];
        const made = { kind: (["wagon", "ask", "fork"] as const)[b % 3] ?? "wagon", target, title: `t${a}` };
        const change =
          kind < 3 || one === undefined || two === undefined
            ? adding(plan, made, one === undefined || kind === 0 ? {} : { behind: one })
            : kind === 3
              ? coupling(plan, one, two)
              : kind === 4
                ? removing(plan, [one])
                : kind === 5
                  ? toggling(plan, [one], b % 2 === 0 ? "hold" : "disabled")
                  : kind === 6
                    ? addingTask(plan, one, null)
                    : kind === 7
                      ? addingBefore(plan, made, one)
                      : kind === 8
                        ? askingBeside(plan, made, one)
                        : tidying(plan, [one]);
        if (change && store.change(change) === null && store.get().plan !== plan) seen.push(store.get().plan);
      }
      const last = store.get().plan;
      for (const before of seen.toReversed().slice(1)) {
        store.undo();
        expect(store.get().plan).toEqual(before);
      }
      for (let i = 1; i < seen.length; i++) store.redo();
      expect(store.get().plan).toEqual(last);
    }),
    { numRuns: 150 },
  );
});
