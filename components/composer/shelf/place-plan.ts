"use client";

// The nodes of another plan, copied into this one behind the selection.
import { copyFragment } from "@/server/contract/plan/fragment";
import { pasteOps } from "@/server/contract/plan/paste-ops";
import { PlanShape } from "@/server/contract/plan/plan";
import { idsOf } from "@/server/contract/plan/plan-words";
import type { Composing } from "../composer-context";

export async function placePlan({ store, ground, readPlan }: Composing, name: string): Promise<void> {
  try {
    const { body, layout } = await readPlan(name);
    const other = PlanShape.parse({ ...body, layout });
    const fragment = copyFragment(other, { places: new Set(idsOf(other)) });
    const { plan, selection } = store.get();
    const behind = ground.get().stops.get((selection.at(-1) ?? "").replace(/^gate:/, "").split(".")[0] ?? "");
    const at = behind ? { col: behind.col + 1, row: behind.row } : { col: 1, row: 0 };
    const made = pasteOps(plan, fragment, { at });
    if ("refusal" in made) store.say(made.refusal.message);
    else store.change({ label: `${name} copied in`, ops: made.ops, select: made.nodes });
  } catch (error) {
    store.say(`${name} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
