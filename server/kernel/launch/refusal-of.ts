// A refusal as a dry run answers it: the form stands beside it and can be mended.
import type { Refused } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { isPassing } from "../storage-error";

/** Throws again what the form cannot fix: an unknown project, a database that is down. */
export function refusalOf(error: unknown): Refused {
  if (!(error instanceof KernelError) || isPassing(error)) throw error;
  return { ok: false, error_code: error.code, error: error.message, field: fieldOf(error) };
}

function fieldOf(error: KernelError): string | undefined {
  if (typeof error.detail?.path === "string") return error.detail.path;
  return /^(?:invalid args\.)?([a-z_]+(?:\.\d+)?):/.exec(error.message)?.[1];
}
