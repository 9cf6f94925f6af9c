// JSON with sorted keys, so that equal content has equal bytes and one hash.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";

/** Deeper content overflows the stacks of parsers on its way, Postgres' among them. */
const DEPTH_MAX = 500;

export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX)
    throw new KernelError(
      "bad_request",
      `content is nested deeper than ${DEPTH_MAX} levels; flatten it or send it as text`,
    );
  if (Array.isArray(value)) return `[${value.map((v) => canonicalJson(v ?? null, depth + 1)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v, depth + 1)}`);
  return `{${members.join(",")}}`;
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
