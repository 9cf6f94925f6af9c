// A drawing that follows its changes keeps what they did not touch: places, ways and what is wrong. It must be the one that a reload
// would draw.
import fc from "fast-check";
import { expect, test } from "vitest";
import { noWays } from "@/components/ground/known-ways";
import { leanPlan } from "@/server/contract/plan/canonical";
import { checkGraph } from "@/server/contract/plan/check-graph";
import { anyPlan, numbers, opFrom } from "@/server/testing/random-plans";
import { createDrawingStore } from "../draft/drawing-store";
import { drawingOf } from "./drawing";
import { cratesOf, hasSameLoads } from "./loads";

test("whatever was done or taken back: what is drawn is what would be drawn from the start", () => {
  fc.assert(
    fc.property(anyPlan, fc.array(numbers, { maxLength: 10 }), (plan, rolls) => {
      const store = createDrawingStore(plan);
      const ways = noWays();
      for (const roll of rolls) {
        const before = store.get().plan;
        if (roll[3] % 4 === 0) store.undo();
        else store.change({ label: "Changed", ops: [opFrom(store.get().plan, roll)] });
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
    { numRuns: 25 },
  );
});
