// Bundles for tests: a run as the bytes that are exported, and what is in them.
import { exportBundle } from "@/server/interop/bundle/export-bundle";
import { readTar } from "@/server/interop/bundle/read-tar";
import type { Kernel } from "@/server/kernel/kernel";

type Exported = { project_id: string; root_turn_id: string; redact?: boolean };

export async function bundleBytes(kernel: Kernel, { redact = false, ...run }: Exported): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await exportBundle(kernel, { ...run, redact })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** By the names of its parts. */
export async function bundleTexts(bytes: Uint8Array): Promise<Map<string, string>> {
  const folder = await readTar(bytes);
  const texts = new Map<string, string>();
  for (const name of folder.names()) {
    const pieces: Uint8Array[] = [];
    for await (const piece of folder.bytes(name)) pieces.push(piece);
    texts.set(name, Buffer.concat(pieces).toString());
  }
  await folder.remove();
  return texts;
}
