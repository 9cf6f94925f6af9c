// Two people changed the same version. What only one of them changed is taken; the rest is a conflict that a person decides.
// Compared by node or task, and there by field. Where things stand is no conflict: mine is kept.
import { sameJson } from "../same-json";
import { changedFields } from "./changed-fields";
import { goneByMerge } from "./gone-by-merge";
import { type MergeConflict, mergeFields, three } from "./merge-fields";
import { mergeOrder } from "./merge-order";
import { type PlanFault, parsePlan } from "./parse-plan";
import type { Fork, Plan, PlanNode, PlanTask } from "./plan";
import { berthOf, idsOf } from "./plan-words";
import { withReferences } from "./references";

export type Choose = (conflict: MergeConflict) => "mine" | "theirs";
export type Merged = { plan: Plan; conflicts: MergeConflict[] } | { fault: PlanFault };

/** `choose` decides each conflict. The fault is one that neither side has: both together are too many nodes. */
export function mergePlans(base: Plan, mine: Plan, theirs: Plan, choose: Choose = () => "mine"): Merged {
  const conflicts: MergeConflict[] = [];
  /** What a conflict is decided for. */
  const decide = <T>(conflict: MergeConflict & { mine: T; theirs: T }): T => {
    conflicts.push({
      node: conflict.node,
      field: conflict.field,
      mine: conflict.mine ?? null,
      theirs: conflict.theirs ?? null,
      base: conflict.base ?? null,
    });
    return choose(conflict) === "mine" ? conflict.mine : conflict.theirs;
  };
  const gone = goneByMerge(base, mine, theirs, decide);
  const [b, m, t] = [base, mine, theirs].map((plan) => withReferences(plan, gone)) as [Plan, Plan, Plan];
  const own = ({ nodes: _, layout: __, ...fields }: Plan) => fields;
  const fields = mergeFields("", own(b), own(m), own(t), decide);
  const nodes = mergeParts("", b.nodes, m.nodes, t.nodes, mergeNode);
  const merged = { ...fields, nodes, layout: layout() } as Plan;
  const ids = new Set(idsOf(merged));
  // Only decisions that contradict each other leave a reference to nothing.
  const read = parsePlan(withReferences(merged, (place) => (ids.has(place) ? place : null)));
  return "fault" in read ? read : { plan: read.plan, conflicts };

  function mergeParts<T extends PlanNode | PlanTask>(
    within: string,
    was: readonly T[],
    my: readonly T[],
    their: readonly T[],
    merge: (place: string, versions: [T | undefined, T, T]) => T,
  ): T[] {
    const [inBase, inMine, inTheirs] = [byId(was), byId(my), byId(their)];
    const parts = new Map<string, T>();
    for (const id of new Set([...inMine.keys(), ...inTheirs.keys()])) {
      const place = `${within}${id}`;
      const [one, other] = [inMine.get(id), inTheirs.get(id)];
      if (gone(place) === null) continue;
      const both = one && other ? merge(place, [inBase.get(id), one, other]) : (one ?? other);
      if (both) parts.set(id, both);
    }
    const orders = [was, my, their].map((list) => list.map(({ id }) => id)) as [string[], string[], string[]];
    const order = mergeOrder(...orders, new Set(parts.keys()), (mineFirst, theirsFirst) =>
      decide({
        node: within.slice(0, -1),
        field: within === "" ? "nodes" : "tasks",
        mine: mineFirst,
        theirs: theirsFirst,
        base: orders[0],
      }),
    );
    return order.flatMap((id) => parts.get(id) ?? []);
  }

  function mergeNode(place: string, [was, my, their]: [PlanNode | undefined, PlanNode, PlanNode]): PlanNode {
    // A wagon that became a fork has no field in common with what it was.
    if ((my.kind === "fork") !== (their.kind === "fork")) return whole(place, was, my, their);
    const old = was && (was.kind === "fork") === (my.kind === "fork") ? was : undefined;
    const fields = mergeFields(place, old && withoutTasks(old), withoutTasks(my), withoutTasks(their), decide);
    if (my.kind !== "fork" || their.kind !== "fork") return fields as PlanNode;
    const oldTasks = old?.kind === "fork" ? old.tasks : [];
    const tasks = mergeParts(`${place}.`, oldTasks, my.tasks, their.tasks, (at, [b, m, t]) => mergeTask(at, b, m, t));
    return { ...fields, tasks } as Fork;
  }

  function mergeTask(place: string, was: PlanTask | undefined, my: PlanTask, their: PlanTask): PlanTask {
    return mergeFields(place, was, my, their, decide) as PlanTask;
  }

  function whole(node: string, was: PlanNode | undefined, my: PlanNode, their: PlanNode): PlanNode {
    if (sameJson(was, my)) return their;
    return sameJson(was, their) ? my : decide({ node, field: "", mine: my, theirs: their, base: was });
  }

  function layout(): Plan["layout"] {
    const [was, my, their] = [b.layout, m.layout, t.layout];
    const places = { ...my.places };
    for (const place of changedFields(was.places, their.places)) {
      if (!sameJson(berthOf(was.places, place), berthOf(my.places, place))) continue;
      const berth = berthOf(their.places, place);
      if (berth) places[place] = berth;
      else delete places[place];
    }
    const [inBase, inMine, inTheirs] = [byId(was.notes), byId(my.notes), byId(their.notes)];
    const notes = new Map<string, Plan["layout"]["notes"][number]>();
    for (const id of new Set([...inMine.keys(), ...inTheirs.keys()])) {
      const note = three(inBase.get(id), inMine.get(id), inTheirs.get(id), (conflict) =>
        decide({ node: "", field: `layout.notes.${id}`, ...conflict }),
      );
      if (note) notes.set(id, note);
    }
    const orders = [was, my, their].map((side) => side.notes.map(({ id }) => id)) as [string[], string[], string[]];
    const order = mergeOrder(...orders, new Set(notes.keys()), (mineFirst) => mineFirst);
    return { places, notes: order.flatMap((id) => notes.get(id) ?? []) };
  }
}

const byId = <T extends { id: string }>(list: readonly T[]) => new Map(list.map((item) => [item.id, item]));

function withoutTasks(node: PlanNode): object {
  if (node.kind !== "fork") return node;
  const { tasks: _, ...fields } = node;
  return fields;
}
