// Whether arguments that a person edited match what the tool declares. An unreadable schema refuses nothing: the tool checks
// its arguments itself.
import * as z from "zod";
import { KernelError } from "@/server/contract/errors";
import { shapeFault } from "@/server/contract/shape-fault";

/** bad_request names the path and what is expected there. */
export function checkArguments(parameters: Record<string, unknown> | null, given: Record<string, unknown>): void {
  const schema = schemaOf(parameters);
  const parsed = schema?.safeParse(given);
  if (parsed === undefined || parsed.success) return;
  const { path, message } = shapeFault(parsed.error, "arguments");
  throw new KernelError("bad_request", `${path}: ${message}`, { path });
}

function schemaOf(parameters: Record<string, unknown> | null): z.ZodType | null {
  if (parameters === null) return null;
  try {
    return z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null;
  }
}
