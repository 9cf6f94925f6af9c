// What operations do to the plan of a run that runs: only nodes that have not started change, what was packed is fixed. Pure, for
// the canvas and the kernel alike.
import { sameJson } from "../same-json";
import { applyOps } from "./apply-op";
import type { PlanOpInput, Refusal } from "./op";
import type { Plan, PlanNode } from "./plan";
import type { PlanNodeStatus } from "./plan-run";
import { nameOf } from "./plan-words";

export type EditedRun = { plan: Plan; added: string[]; changed: string[]; removed: string[] };
export type EditRefusal = Refusal & {
  /** packed = the node has started or is over; refused = the operation itself does not fit. */
  code: "packed" | "refused";
  /** The operation that was refused; absent = all of them together. */
  index?: number;
};

/** `statusOf` a node of the run; undefined = it has no such node. */
export function editRun(
  plan: Plan,
  statusOf: (id: string) => PlanNodeStatus | undefined,
  ops: readonly PlanOpInput[],
): EditedRun | EditRefusal {
  const applied = applyOps(plan, ops);
  if ("refusal" in applied) return { ...applied, code: "refused" };
  const { plan: next } = applied;
  const fixed = fixedField(plan, next);
  if (fixed) return fixed;
  const after = new Map(next.nodes.map((node) => [node.id, node]));
  const before = new Map(plan.nodes.map((node) => [node.id, node]));
  const touched = plan.nodes.filter((node) => !sameJson(node, after.get(node.id)));
  for (const node of touched) {
    const refusal = refusalOf(node, after.get(node.id), statusOf(node.id));
    if (refusal) return refusal;
  }
  return {
    plan: next,
    added: next.nodes.flatMap(({ id }) => (before.has(id) ? [] : id)),
    changed: touched.flatMap(({ id }) => (after.has(id) ? id : [])),
    removed: touched.flatMap(({ id }) => (after.has(id) ? [] : id)),
  };
}

/** What the launch has answered or decided once and for all. */
function fixedField(before: Plan, after: Plan): EditRefusal | null {
  const field = (["name", "inputs", "run_by"] as const).find((name) => !sameJson(before[name], after[name]));
  if (!field) return null;
  const message = `a run keeps the ${field} it was launched with. Publish a version, and launch that`;
  return { code: "refused", refusal: { path: field, message } };
}

function refusalOf(node: PlanNode, next: PlanNode | undefined, status: PlanNodeStatus | undefined): EditRefusal | null {
  if (status === "waiting" || status === "held") return null;
  // What it waited for or would load was taken away: it does not start, so it loses nothing.
  if (status === "skipped" && next && sameJson(withoutEntries(node), withoutEntries(next))) return null;
  // It never started because it was switched off: it may be switched on, and waits again.
  if (status === "skipped" && node.disabled && next && !next.disabled) return null;
  const name = nameOf(node);
  const message =
    status === "skipped"
      ? `${name} was skipped. Retry it first, or add another wagon.`
      : `${name} is packed. Stop or fork it, or change what comes after.`;
  return { code: "packed", refusal: { path: node.id, message } };
}

function withoutEntries(node: PlanNode): PlanNode {
  const bare = { ...node, after: [], load: [] };
  return bare.kind === "fork" ? { ...bare, tasks: bare.tasks.map((task) => ({ ...task, load: [] })) } : bare;
}
