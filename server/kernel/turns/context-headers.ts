// What a turn is told of its place, as headers of its first message: whose it is, how deep, and its trace in W3C's form.
import type { Kernel } from "../kernel";

export function contextHeaders(
  kernel: Pick<Kernel, "newId">,
  { agent_id, depth, trace_id }: { agent_id: string; depth: number; trace_id: string },
) {
  return { "CG-Agent-Id": agent_id, "CG-Recursion-Depth": depth, traceparent: newTraceparent(kernel, trace_id) };
}

/** A span of its own in a trace that is given. */
export const newTraceparent = (kernel: Pick<Kernel, "newId">, trace_id: string): string =>
  `00-${trace_id}-${kernel.newId().slice(-16)}-01`;
