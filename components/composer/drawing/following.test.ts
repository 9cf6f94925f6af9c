// A drawing that follows its changes keeps what they did not touch: places, ways and what is wrong. It must be the one that a reload
// would draw.
import fc from "fast-check";
import { expect, test } from "vitest";
import { noWays } from "@/components/ground/known-ways";
import { leanPlan } from "@/server/contract/plan/canonical";
import { checkGraph } from "@/server/contract/plan/check-graph";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { idsOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { type Change, createDrawingStore } from "../draft/drawing-store";
import { adding, addingBefore, addingTask, askingBeside, coupling, loading, removing, toggling } from "../draft/edits";
import { tidying } from "../draft/tidying";
import { drawingOf } from "./drawing";
import { cratesOf, hasSameLoads } from "./loads";

const target = { strategy: "new" as const, ref: "Searcher" };
const kinds = ["wagon", "ask", "fork"] as const;
const gesture = fc.tuple(fc.nat(13), fc.nat(20), fc.nat(20));

test("whatever was done or taken back: what is drawn is what would be drawn from the start", () => {
  fc.assert(
    fc.property(fc.array(gesture, { maxLength: 24 }), (gestures) => {
      const store = createDrawingStore(PlanShape.parse({ switchyard: "plan/1" }));
      const ways = noWays();
      for (const [kind, a, b] of gestures) {
        const before = store.get().plan;
        const change = kind === 13 ? null : changeOf(before, kind, a, b);
        if (change) store.change(change);
        else store.undo();
        const now = store.get().plan;
        // Nothing is known of a copy.
        const copy = structuredClone(now);
        const [drawing, fresh] = [drawingOf(now, ways), drawingOf(copy)];
        expect(drawing.places).toEqual(fresh.places);
        expect(drawing.stops).toEqual(fresh.stops);
        expect(drawing.routes).toEqual(fresh.routes);
        if (hasSameLoads(before, now)) expect(cratesOf(now)).toEqual(cratesOf(before));
        expect(leanPlan(now)).toEqual(leanPlan(copy));
        expect(checkGraph(now, { fork_tasks_max: 64 })).toEqual(checkGraph(copy, { fork_tasks_max: 64 }));
      }
    }),
    { numRuns: 40 },
  );
});

function changeOf(plan: Plan, kind: number, a: number, b: number): Change | null {
  const ids = idsOf(plan);
  const [one, two] = [ids[a % Math.max(1, ids.length)], ids[b % Math.max(1, ids.length)]];
  const made = { kind: kinds[b % 3] ?? "wagon", target, title: `t${a}` };
  if (one === undefined || two === undefined || kind < 4)
    return adding(plan, made, one === undefined || kind === 0 ? {} : { behind: one });
  if (kind === 4) return coupling(plan, one, two);
  if (kind === 5) return removing(plan, [one]);
  if (kind === 6) return toggling(plan, [one], b % 2 === 0 ? "hold" : "disabled");
  if (kind === 7) return addingTask(plan, one, null);
  if (kind === 8) return addingBefore(plan, made, one);
  if (kind === 9) return askingBeside(plan, made, one);
  if (kind === 10) return tidying(plan, [one]);
  if (kind === 11) return loading(plan, one, { box: `box${b % 3}` });
  return { label: "Moved", ops: [{ op: "place", places: { [nodeIdOf(one)]: { col: a % 6, row: b - 8 } } }] };
}
