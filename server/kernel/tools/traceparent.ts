// W3C trace context for what a call sends outside. The span follows from the call, so that the same call again is the same.
import { createHash } from "node:crypto";

/** Empty for a run whose trace id is none of W3C's (imports keep what they brought). */
export function traceparentOf(trace_id: string, tool_call_id: string): { traceparent?: string } {
  const trace = trace_id.toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(trace) || /^0+$/.test(trace)) return {};
  const span = createHash("sha256").update(tool_call_id).digest("hex").slice(0, 16);
  return { traceparent: `00-${trace}-${span}-01` };
}
