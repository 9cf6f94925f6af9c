// Which turns of two runs belong together: each rule by example, and what must hold for any two runs.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { alignTurns, inOrder } from "./align-turns";
import { layRows } from "./lay-rows";
import type { AlignTurn } from "./turn-pair";

const turn = (agent_turn_id: string, more: Partial<AlignTurn> = {}): AlignTurn => ({
  ...{ agent_turn_id, parent_turn_id: null, profile_name: "Leaf", primitive: "fork_join", is_human: false },
  ...{ task_index: null, created_at: "2026-01-01T00:00:00.000Z", node: null, origin: null, words: "" },
  // Steps of one plan, unless it is said otherwise.
  plan: (more.node ?? null) === null ? null : "plan",
  ...more,
});
const person = (agent_turn_id: string) =>
  turn(agent_turn_id, { profile_name: "sys.human", primitive: "ui_action", is_human: true });
/** A person who called some turns, in order. */
const run = (root: string, callees: Record<string, Partial<AlignTurn>>): AlignTurn[] => [
  person(root),
  ...Object.entries(callees).map(([id, more], task_index) => turn(id, { parent_turn_id: root, task_index, ...more })),
];
const told = (a: readonly AlignTurn[], b: readonly AlignTurn[]) =>
  alignTurns(a, b)
    .map((pair) => `${pair.a} ${pair.b} ${pair.by}`)
    .sort();

describe("rules", () => {
  test("the roots, and callees by profile and place", () => {
    const a = run("r", { a1: {}, a2: { profile_name: "Other" }, a3: {} });
    const b = run("s", { b1: { profile_name: "Other" }, b2: {}, b3: {} });
    expect(told(a, b)).toEqual(["a1 b2 place", "a2 b1 place", "a3 b3 place", "r s place"]);
  });
  test("the callees of callees are aligned below their callers only", () => {
    const a = [...run("r", { a1: {}, a2: {} }), turn("deep", { parent_turn_id: "a2" })];
    const b = [...run("s", { b1: {}, b2: {} }), turn("other", { parent_turn_id: "b1" })];
    expect(told(a, b)).toEqual(["a1 b1 place", "a2 b2 place", "r s place"]);
  });
  test("the same step of a plan, wherever it was called from; of several tries the newest", () => {
    const at = (node: string, created_at: string) => ({ node, created_at, profile_name: node });
    const a = run("r", { old: at("x", "1"), new: at("x", "2"), gone: at("y", "1") });
    const b = [...run("s", { c: {} }), turn("b1", { ...at("x", "3"), parent_turn_id: "c", profile_name: "Else" })];
    expect(told(a, b)).toEqual(["new b1 node", "r s place"]);
  });
  test("a step that the other run of the plan has not stands alone, of another plan it is aligned as any turn", () => {
    const words = "read the whole report and sum it up in three sentences for the board";
    const a = run("r", { a1: { node: "x", words } });
    expect(told(a, run("s", { b1: { node: "y", words } }))).toEqual(["r s place"]);
    expect(told(a, run("s", { b1: { node: "y", plan: "another", words } }))).toEqual(["a1 b1 place", "r s place"]);
    expect(told(a, run("s", { b1: { words } }))).toEqual(["a1 b1 place", "r s place"]);
  });
  test("what it was started again from comes before place, at any depth, from both sides", () => {
    const a = [
      ...run("r", { a1: {} }),
      turn("deep", { parent_turn_id: "a1" }),
      turn("deeper", { parent_turn_id: "deep" }),
    ];
    for (const how of ["forked_from", "rerun_of"] as const) {
      const b = run("s", { b1: { origin: { agent_turn_id: "deep", how } }, b2: {} });
      const all = [...b, turn("under", { parent_turn_id: "b1" })];
      expect(told(a, all)).toEqual([`deep b1 ${how}`, "deeper under place", "a1 b2 place", "r s place"].sort());
      expect(told(all, a)).toContain(`b1 deep ${how}`);
    }
  });
  test("two forks of one turn belong together", () => {
    const origin = { agent_turn_id: "first", how: "forked_from" as const };
    expect(told(run("r", { a1: {}, a2: { origin } }), run("s", { b1: { origin } }))).toContain("a2 b1 forked_from");
  });
  test("with one callee more, equal instructions decide, then similar ones, then place", () => {
    const text = "look at the four bridges of the town and say which of them is oldest";
    const a = run("r", { a1: { words: "one" }, a2: { words: text }, a3: { words: "three" }, a4: { words: "four" } });
    const b = run("s", {
      b1: { words: text.replace("four", "five") },
      b2: { words: "three" },
      b3: { words: "nothing alike" },
    });
    expect(told(a, b)).toEqual(["a1 b3 place", "a2 b1 words", "a3 b2 words", "r s place"]);
  });
  test("another profile with the same task is found by its words; a person is never taken for an agent", () => {
    const words = "read the whole report and sum it up in three sentences for the board";
    const a = run("r", { a1: { words } });
    expect(told(a, run("s", { b1: { words, profile_name: "Better" } }))).toContain("a1 b1 words");
    expect(told(a, [person("s"), { ...person("p"), parent_turn_id: "s", words }])).toEqual(["r s place"]);
  });
});

const ids = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i}`);
/** Any run: `prefix` keeps its ids apart from the other's. */
const anyRun = (prefix: string, others: string) =>
  fc
    .array(
      fc.record({
        caller: fc.nat(30),
        profile_name: fc.constantFrom("P", "Q"),
        task_index: fc.option(fc.nat(3), { nil: null }),
        created_at: fc.constantFrom("1", "2", "3"),
        node: fc.option(fc.constantFrom("x", "y", "z"), { nil: null, freq: 6 }),
        words: fc.constantFrom("", "do this", "do that", "look at all of the bridges of this old town"),
        origin: fc.option(
          fc.record({
            agent_turn_id: fc.constantFrom(...ids(others, 12), "elsewhere"),
            how: fc.constantFrom("forked_from" as const, "rerun_of" as const),
          }),
          { nil: null, freq: 6 },
        ),
      }),
      { maxLength: 30 },
    )
    .map((made) =>
      made.map(({ caller, ...more }, i) =>
        turn(`${prefix}${i}`, { ...more, parent_turn_id: i === 0 ? null : `${prefix}${caller % i}` }),
      ),
    );
const twoRuns = fc.tuple(anyRun("a", "b"), anyRun("b", "a"));

describe("for any two runs", () => {
  test("each turn is in at most one pair, and in exactly one row", () => {
    fc.assert(
      fc.property(twoRuns, ([a, b]) => {
        const pairs = alignTurns(a, b);
        expect(new Set(pairs.map((pair) => pair.a)).size).toBe(pairs.length);
        expect(new Set(pairs.map((pair) => pair.b)).size).toBe(pairs.length);
        const rows = layRows(inOrder(a), inOrder(b), pairs);
        expect(rows.flatMap((row) => row.a ?? []).sort()).toEqual(a.map(({ agent_turn_id }) => agent_turn_id).sort());
        expect(rows.flatMap((row) => row.b ?? []).sort()).toEqual(b.map(({ agent_turn_id }) => agent_turn_id).sort());
        for (const { at, below } of rows) expect(below ?? -1).toBeLessThan(at);
      }),
    );
  });
  test("a run against itself: everything is paired with itself", () => {
    fc.assert(
      fc.property(anyRun("a", "b"), (a) => {
        const pairs = alignTurns(a, a);
        expect(pairs).toHaveLength(a.length);
        for (const pair of pairs) expect(pair.a).toBe(pair.b);
      }),
    );
  });
  test("from both sides the same, in whatever order the turns come", () => {
    const shuffled = twoRuns.chain(([a, b]) =>
      fc.tuple(
        fc.constant([a, b] as const),
        fc.shuffledSubarray(a, { minLength: a.length }),
        fc.shuffledSubarray(b, { minLength: b.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([[a, b], otherA, otherB]) => {
        const pairs = told(a, b);
        expect(told(otherA, otherB)).toEqual(pairs);
        const turned = alignTurns(b, a).map((pair) => `${pair.b} ${pair.a} ${pair.by}`);
        expect(turned.sort()).toEqual(pairs);
      }),
    );
  });
});

describe("five thousand turns each", () => {
  const sentence = (n: number) =>
    `task ${n} looks at bridge ${n * 7} of town ${n % 13} and says how old it is, in year ${n * 3}`;
  const wide = (prefix: string, from: number, n: number) =>
    run(
      `${prefix}r`,
      Object.fromEntries(
        ids(prefix, n).map((id, i) => [id, { words: sentence(i + from), created_at: String(i).padStart(5, "0") }]),
      ),
    );
  test.each([
    ["all called by one, as many on both sides", wide("a", 0, 4_999), wide("b", 1, 4_999)],
    ["all called by one, one more on a side and no two tasks equal", wide("a", 0, 4_999), wide("b", 20_000, 4_998)],
  ])("%s", (_, a, b) => {
    let pairs = 0;
    expect(
      cpuMs(() => {
        pairs = alignTurns(a, b).length;
      }),
    ).toBeLessThan(6_000);
    expect(pairs).toBe(Math.min(a.length, b.length));
  });
  test("a chain, each called by the one before", () => {
    const chain = (prefix: string) =>
      ids(prefix, 5_000).map((id, i) => turn(id, { parent_turn_id: i === 0 ? null : `${prefix}${i - 1}` }));
    const [a, b] = [chain("a"), chain("b")];
    const pairs = alignTurns(a, b);
    expect(pairs).toHaveLength(5_000);
    expect(layRows(inOrder(a), inOrder(b), pairs).at(-1)).toMatchObject({ depth: 4_999, below: 4_998 });
  });
});
