// JSON with sorted keys, so that equal content has equal bytes and one hash.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((v) => canonicalJson(v ?? null)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`);
  return `{${members.join(",")}}`;
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Deeper content overflows the stacks of everything that walks it, Postgres' parser among them. */
const DEPTH_MAX = 500;

/** bad_request names what is too deep. Walks level by level, so that it is not itself what overflows. */
export function refuseDeep(value: unknown, path: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX)
      throw new KernelError(
        "bad_request",
        `${path} is nested deeper than ${DEPTH_MAX} levels; flatten it or send it as text`,
      );
    level = level.flatMap((v) => (v !== null && typeof v === "object" ? Object.values(v) : []));
  }
}
