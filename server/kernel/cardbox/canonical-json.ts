// The hash of content, and how deep content may be nested.
import { hash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export const sha256 = (text: string): string => hash("sha256", text);

/** Deeper content overflows the stack of everything that walks it, including Postgres' parser. */
const DEPTH_MAX = 500;

/** bad_request names what is too deep. It stops at the limit, so that it does not overflow itself. */
export function refuseDeep(value: unknown, path: string): void {
  if (!isDeeper(value, DEPTH_MAX)) return;
  throw new KernelError(
    "bad_request",
    `${path} is nested deeper than ${DEPTH_MAX} levels; flatten it or send it as text`,
  );
}

/** For content from outside: leaves room for what it is wrapped in, and refuses deeper content before a stack overflows. */
export const SAID_DEPTH_MAX = 400;
export const isTooDeep = (value: unknown): boolean => isDeeper(value, SAID_DEPTH_MAX);

function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (value === null || typeof value !== "object") return false;
  for (const member of Object.values(value)) if (isDeeper(member, levels - 1)) return true;
  return false;
}
