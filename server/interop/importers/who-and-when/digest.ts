// The same content has the same digest, however it was indented and in whatever order its keys were written.
import { createHash } from "node:crypto";
import { canonicalJson, refuseDeep } from "@/server/kernel/cardbox/canonical-json";
import type { Slices } from "../slices";

/** sha256 in hex over the JSON with sorted keys and no blanks. */
export function* digestOf(data: Record<string, unknown>): Slices<string> {
  const hash = createHash("sha256");
  hash.update("{");
  for (const [i, key] of Object.keys(data).sort().entries()) {
    hash.update(`${i > 0 ? "," : ""}${JSON.stringify(key)}:`);
    const value = data[key];
    // A list is taken apart, so that a long history is hashed in slices.
    if (Array.isArray(value)) {
      hash.update("[");
      for (const [n, item] of value.entries()) {
        hash.update((n > 0 ? "," : "") + canonicalAt(`${key}.${n}`, item));
        yield;
      }
      hash.update("]");
    } else hash.update(canonicalAt(key, value));
    yield;
  }
  return hash.update("}").digest("hex");
}

function canonicalAt(path: string, value: unknown): string {
  refuseDeep(value, path);
  return canonicalJson(value ?? null);
}
