// Checks the arguments of a tool as a model or a person wrote them: reports the first fault, with its path.
import type * as z from "zod";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { refuseLostKey } from "@/server/contract/lost-key";
import { shapeFault } from "@/server/contract/shape-fault";
import { refuseBadText } from "@/server/contract/text";

/** bad_request `invalid args.<path>: ...`; payload_too_large for an instruction over its limit. */
export function parseArgs<T>(schema: z.ZodType<T>, args: unknown): T {
  const parsed = schema.safeParse(args);
  if (!parsed.success) {
    const { path, message } = shapeFault(parsed.error);
    throw new KernelError("bad_request", `invalid args${path ? `.${path}` : ""}: ${message}`, { path: path || "args" });
  }
  refuseBadText(parsed.data, "args");
  refuseLostKey(args, "args");
  const given = parsed.data as { instruction?: string; question?: string };
  for (const name of ["instruction", "question"] as const)
    if (given[name] !== undefined && Buffer.byteLength(given[name]) > INSTRUCTION_BYTES_MAX)
      throw new KernelError(
        "payload_too_large",
        `args.${name} is over ${INSTRUCTION_BYTES_MAX} bytes; hand the text over as a card instead`,
      );
  return parsed.data;
}
