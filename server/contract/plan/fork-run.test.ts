// What a fork of a plan run runs: what changed, what follows it, and what it needs; everything else is replayed.
import { expect, test } from "vitest";
import { applyOps } from "./apply-op";
import { decideFork } from "./fork-run";
import type { PlanOpInput } from "./op";
import { parsePlan } from "./parse-plan";
import type { Plan } from "./plan";

const wagon = (id: string, more: object = {}) => ({ id, target: { ref: "P" }, instruction: `Do ${id}`, ...more });
const read = parsePlan({
  switchyard: "plan/1",
  name: "p",
  nodes: [
    wagon("frame"),
    {
      id: "searches",
      kind: "fork",
      load: [{ from: "frame" }],
      tasks: [wagon("iron"), wagon("flow", { title: "Flow" })],
    },
    wagon("brief", { target: { strategy: "reuse", ref: "@frame" }, load: [{ from: "searches" }] }),
    wagon("check", { load: [{ from: "brief" }] }),
    wagon("aside"),
  ],
});
if (!("plan" in read)) throw new Error(read.fault.message);
const before: Plan = read.plan;

function decide(ops: PlanOpInput[], more: { force?: string[]; against?: Record<string, string> } = {}) {
  const applied = applyOps(before, ops);
  if ("refusal" in applied) throw new Error(applied.refusal.message);
  const places = decideFork({
    before,
    after: applied.plan,
    force: new Set(more.force),
    against: (place) => more.against?.[place] ?? null,
    source: "run 7",
  });
  return Object.fromEntries(places.map(({ place, verdict, reason }) => [place, `${verdict}: ${reason}`]));
}
const set = (node: string, path: string, value: string | boolean | object): PlanOpInput => ({
  op: "set",
  node,
  path,
  value: value as string,
});
const recorded = "replayed: as in run 7";

test("nothing changed: everything is replayed", () => {
  expect(decide([])).toEqual({
    frame: recorded,
    searches: recorded,
    brief: recorded,
    check: recorded,
    aside: recorded,
  });
});

test("what changed runs, with all that follows it; what is beside it is replayed", () => {
  expect(decide([set("check", "/instruction", "Check twice")])).toEqual({
    frame: recorded,
    searches: recorded,
    brief: recorded,
    check: "runs: it was changed",
    aside: recorded,
  });
});

test("of a fork only the changed tasks run, and what goes on with the agent of a wagon makes that wagon run too", () => {
  expect(decide([set("searches.flow", "/instruction", "Mark every figure")])).toEqual({
    // brief runs again and goes on with frame's agent as it was then: frame runs, and so everything after it.
    frame: "runs: brief goes on with its agent",
    searches: expect.stringMatching(/^runs: /),
    "searches.iron": expect.stringMatching(/^runs: /),
    "searches.flow": "runs: it was changed",
    brief: "runs: searches runs again",
    check: "runs: brief runs again",
    aside: recorded,
  });
  const own = set("brief", "/target", { ref: "P" });
  expect(decide([own, set("searches.flow", "/instruction", "Mark every figure")])).toEqual({
    frame: recorded,
    searches: "runs: Flow runs again",
    "searches.iron": recorded,
    "searches.flow": "runs: it was changed",
    brief: "runs: it was changed",
    check: "runs: brief runs again",
    aside: recorded,
  });
});

test("a title and a hold change no result; a gate changes all tasks", () => {
  expect(decide([set("aside", "/title", "Aside"), set("check", "/hold", true)])).toMatchObject({
    aside: recorded,
    check: recorded,
  });
  expect(decide([set("searches", "/gate/fail_fast", true)])).toMatchObject({
    "searches.iron": "runs: it was changed",
    "searches.flow": "runs: it was changed",
  });
});

test("what is forced runs, and so does what the rows speak against", () => {
  expect(decide([], { force: ["aside"] })).toMatchObject({ aside: "runs: you asked for it", check: recorded });
  expect(decide([], { against: { check: "9C41 has 3 more cards than in run 7" } })).toMatchObject({
    check: "runs: 9C41 has 3 more cards than in run 7",
  });
  expect(decide([], { against: { "searches.iron": "profile P has another version now" } })).toMatchObject({
    "searches.iron": "runs: profile P has another version now",
  });
});

test("a node that is new runs, and one that was taken away is not there", () => {
  const places = decide([
    { op: "remove_node", node: "aside" },
    { op: "add_node", node: { kind: "wagon", ...wagon("more") } as never },
  ]);
  expect(places.more).toBe("runs: it was not in run 7");
  expect(places.aside).toBeUndefined();
});
