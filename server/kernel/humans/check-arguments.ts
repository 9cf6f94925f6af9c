// Whether arguments that a person has edited fit what the tool declares. A schema that cannot be read as one refuses
// nothing: the tool itself looks at what it is given.
import * as z from "zod";
import { KernelError } from "@/server/contract/errors";

/** bad_request names the path and what belongs there. */
export function checkArguments(parameters: Record<string, unknown> | null, given: Record<string, unknown>): void {
  const schema = schemaOf(parameters);
  const parsed = schema?.safeParse(given);
  if (parsed === undefined || parsed.success) return;
  const [issue] = parsed.error.issues;
  const path = ["arguments", ...(issue?.path ?? [])].join(".");
  throw new KernelError("bad_request", `${path}: ${issue?.message ?? "does not fit the tool's parameters"}`, { path });
}

function schemaOf(parameters: Record<string, unknown> | null): z.ZodType | null {
  if (parameters === null) return null;
  try {
    return z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null;
  }
}
