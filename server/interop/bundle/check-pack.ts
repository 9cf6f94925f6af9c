// The bytes that a context pack of a bundle names are one, and so are those of what it was made from: pages read them as such.
import type * as z from "zod";
import { BUNDLE_LIMITS } from "@/server/contract/bundle/manifest";
import type { PackLine } from "@/server/contract/bundle/store-lines";
import { ContextPack } from "@/server/contract/context-pack/pack";
import { Sidecar } from "@/server/contract/context-pack/sidecar";
import { shapeFault } from "@/server/contract/shape-fault";
import type { Folder } from "./folder";
import { refused } from "./read-tar";

/** After the files are known to be there, with the bytes that their names say. */
export async function checkPack(folder: Folder, { sha256, sidecar_sha256 }: PackLine, where: string): Promise<void> {
  await checkFile(folder, ContextPack, `artifacts/${sha256}`, `${where}: sha256`);
  await checkFile(folder, Sidecar, `artifacts/${sidecar_sha256}`, `${where}: sidecar_sha256`);
}

async function checkFile(folder: Folder, schema: z.ZodType, name: string, where: string): Promise<void> {
  if (folder.facts(name).size > BUNDLE_LIMITS.lineBytesMax)
    throw refused(`${where} names a file of over ${BUNDLE_LIMITS.lineBytesMax} bytes, the limit for a context pack`);
  const pieces: Uint8Array[] = [];
  for await (const piece of folder.bytes(name)) pieces.push(piece);
  const parsed = schema.safeParse(jsonOf(Buffer.concat(pieces).toString("utf8")));
  if (parsed.success) return;
  const { path, message } = shapeFault(parsed.error, name);
  throw refused(`${where} names bytes that are no context pack: ${path}: ${message}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON is not a pack either: its shape says so.
    return undefined;
  }
}
