// A fault of a source as the product refuses it. Any other error stays what it is.
import { KernelError } from "@/server/contract/errors";
import { SourceFault } from "./sources/source";

export function kernelErrorOf(error: unknown): unknown {
  if (!(error instanceof SourceFault)) return error;
  const known = new KernelError(error.code, `workspace: ${error.message}`);
  known.cause = error;
  return known;
}
