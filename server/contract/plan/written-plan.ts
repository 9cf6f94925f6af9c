// A plan as an author writes it, for the OpenAPI document: an id or the kind of a wagon may be left out (parse-plan.ts fills them
// in). Bodies were described as "any value", and a generated client had no types for a plan.
import * as z from "zod";
import { Ask, Fork, NODES_MAX, NodeId, PlanShape, PlanTask, TASKS_MAX, Wagon } from "./plan";

/** Read by parse-plan.ts, which names the first thing wrong; described as WrittenPlan. */
export const PlanText = z
  .unknown()
  .meta({ id: "PlanBody", description: "A plan: `switchyard: plan/1`, name, nodes ... (docs/plans.md)" });

const id = NodeId.optional().describe("Absent = made from the title.");
const WrittenNode = z.union([
  Wagon.extend({ kind: Wagon.shape.kind.optional().describe("Absent = wagon."), id }).strict(),
  Ask.extend({ id }).strict(),
  Fork.extend({ id, tasks: z.array(PlanTask.extend({ id }).strict()).max(TASKS_MAX).default([]) }).strict(),
]);
export const WrittenPlan = PlanShape.extend({ nodes: z.array(WrittenNode).max(NODES_MAX).default([]) })
  .strict()
  .meta({ description: PlanText.description });
