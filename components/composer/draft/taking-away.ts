// Everything that is selected is taken away in one step: wagons, tasks and notes, and tracks and wires between what stays. Pure.

import { applyOps } from "@/server/contract/plan/apply-op";
import type { PlanOpInput } from "@/server/contract/plan/op";
import type { Plan } from "@/server/contract/plan/plan";
import { linkOf } from "../drawing/links";
import type { Change } from "./drawing-store";
import { removing } from "./edits";
import { unlinking } from "./relinking";

export function takingAway(plan: Plan, selection: readonly string[]): Change {
  const links = selection.flatMap((id) => linkOf(id) ?? []);
  const places = selection.filter((id) => linkOf(id) === null);
  const [only] = links;
  if (places.length === 0 && links.length === 1 && only) return unlinking(plan, only);
  const parts = [...links.map((link) => (now: Plan) => unlinking(now, link)), (now: Plan) => removing(now, places)];
  let now = plan;
  let last: Change = { label: "", ops: [], select: [] };
  const ops: PlanOpInput[] = [];
  for (const part of parts) {
    last = part(now);
    const done = applyOps(now, last.ops);
    if ("refusal" in done) return last;
    now = done.plan;
    ops.push(...last.ops);
  }
  return { ...last, label: links.length === 0 ? last.label : `${selection.length} taken away`, ops };
}
