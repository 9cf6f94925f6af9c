// The arguments of delegate_async and fork_join as nodes of a plan, alone or as a launch names them: {tool, args}.
import type * as z from "zod";
import { ForkJoinInput } from "../batch";
import { DelegateInput } from "../delegation";
import { isRecord } from "../is-record";
import { shapeFault } from "../shape-fault";
import { type PlanFault, withIds } from "./parse-plan";
import { type Load, PlanNode } from "./plan";

/** Null = they are neither. */
export function argumentNodes(given: Record<string, unknown>): { nodes: PlanNode[] } | { fault: PlanFault } | null {
  const isLaunch = isRecord(given.args) && (given.tool === "delegate_async" || given.tool === "fork_join");
  const args = isLaunch && isRecord(given.args) ? given.args : given;
  const root = isLaunch ? ["args"] : [];
  if ("tasks" in args) {
    const parsed = ForkJoinInput.safeParse(args);
    if (!parsed.success) return { fault: shapeFault(parsed.error, ...root) };
    const { tasks, ...gate } = parsed.data;
    return nodesOf({ kind: "fork", title: "Fork", gate, tasks: tasks.map(riderOf) }, root);
  }
  if (!("target_ref" in args)) return null;
  const parsed = DelegateInput.safeParse(args);
  return parsed.success ? nodesOf(riderOf(parsed.data), root) : { fault: shapeFault(parsed.error, ...root) };
}

/** What a plan cannot hold (more than 64 loads) is told as a fault of the plan. */
function nodesOf(node: object, root: string[]): { nodes: PlanNode[] } | { fault: PlanFault } {
  const body = withIds({ nodes: [node] });
  const [filled] = isRecord(body) && Array.isArray(body.nodes) ? body.nodes : [];
  const parsed = PlanNode.safeParse(JSON.parse(JSON.stringify(filled)));
  return parsed.success ? { nodes: [parsed.data] } : { fault: shapeFault(parsed.error, ...root) };
}

function riderOf(args: z.infer<typeof DelegateInput> & { attempts?: number }): object {
  const boxes = args.context_box_id ?? [];
  // As the kernel packs them: boxes, cards, then the ordered list.
  const load: Load[] = [
    ...(Array.isArray(boxes) ? boxes : [boxes]).map((box) => ({ box })),
    ...(args.context_card_ids ?? []).map((card) => ({ card })),
    ...(args.load ?? []).map((entry) => ("box_id" in entry ? { box: entry.box_id } : { card: entry.card_id })),
  ];
  return {
    target: { strategy: args.target_strategy, ref: args.target_ref },
    instruction: args.instruction,
    load,
    attempts: args.attempts,
  };
}
