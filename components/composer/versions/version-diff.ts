// What changed from one version of a plan to what is drawn, place by place. Pure.
import { diffPlans } from "@/server/contract/plan/diff-plans";
import type { Plan, PlanNode } from "@/server/contract/plan/plan";

export type Mark = "added" | "changed";
export type ChangedNode = {
  id: string;
  verdict: "added" | "removed" | "changed";
  fields: string[];
  was?: PlanNode;
  now?: PlanNode;
};
export type VersionDiff = {
  /** Of the plan itself. */
  fields: string[];
  nodes: ChangedNode[];
  /** By place: of a fork only the tasks that changed. */
  marks: ReadonlyMap<string, Mark>;
};

export function versionDiff(from: Plan, to: Plan): VersionDiff {
  const { nodes, fields } = diffPlans(from, to);
  const [before, after] = [from, to].map((plan) => new Map(plan.nodes.map((node) => [node.id, node])));
  const changed = nodes.flatMap(({ id, verdict, fields: of }): ChangedNode[] => {
    if (verdict === "same") return [];
    const [was, now] = [before?.get(id), after?.get(id)];
    return [{ id, verdict, fields: of, ...(was && { was }), ...(now && { now }) }];
  });
  const marks = new Map<string, Mark>();
  for (const { id, verdict, fields: of, now } of changed) {
    if (verdict === "removed") continue;
    marks.set(id, verdict);
    if (now?.kind !== "fork") continue;
    const own = of.some((field) => !field.startsWith("tasks."));
    for (const task of now.tasks) {
      const path = `tasks.${task.id}`;
      const isNew = verdict === "added" || of.includes(path);
      if (isNew) marks.set(`${id}.${task.id}`, "added");
      else if (own || of.some((field) => field.startsWith(`${path}.`))) marks.set(`${id}.${task.id}`, "changed");
    }
  }
  return { fields, nodes: changed, marks };
}
