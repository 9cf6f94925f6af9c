// What a turn is told of its place, as headers of its first message: whose it is, how deep, and its trace in W3C's form.
import type { Kernel } from "../kernel";

export function contextHeaders(
  kernel: Pick<Kernel, "newId">,
  { agent_id, depth, trace_id }: { agent_id: string; depth: number; trace_id: string },
) {
  return { "CG-Agent-Id": agent_id, "CG-Recursion-Depth": depth, traceparent: traceparentOf(trace_id, kernel.newId()) };
}

/** A span of its own in a trace that is given: the tail of an id. The view state.pmo_batch_tasks says the same of a branch. */
export const traceparentOf = (trace_id: string, id: string): string => `00-${trace_id}-${id.slice(-16)}-01`;
