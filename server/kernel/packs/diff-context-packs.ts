// What differs between two stored packs, item by item.
import { diffPacks, type PackChange } from "@/server/contract/context-pack/diff-packs";
import type { Reader } from "../reader";
import { findPack } from "./find-packs";
import { readPackBytes } from "./pack-bytes";

type Input = { project_id: string; before: string; after: string };

export async function diffContextPacks(
  reader: Reader,
  { project_id, before, after }: Input,
): Promise<{ before: string; after: string; changes: PackChange[] }> {
  const records = [
    await findPack(reader, { project_id, pack: before }),
    await findPack(reader, { project_id, pack: after }),
  ];
  const [old, young] = await readPackBytes(reader, { project_id, records });
  if (!old || !young) throw new Error("two packs were asked for and fewer came back");
  return { before: old.record.sha256, after: young.record.sha256, changes: diffPacks(old.pack, young.pack) };
}
