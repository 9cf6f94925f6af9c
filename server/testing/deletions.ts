// Deletions for tests: begun by a process that dies right after, and gone on with by the watchdog.
import { artifactRefs, storeArtifacts } from "@/server/kernel/artifacts/store-artifacts";
import { draftCard } from "@/server/kernel/cardbox/draft-card";
import { storeCards } from "@/server/kernel/cardbox/insert-cards";
import { deleteRun } from "@/server/kernel/deletion/delete-run";
import { readDeletion } from "@/server/kernel/deletion/read-deletions";
import type { Kernel } from "@/server/kernel/kernel";
import { watchOnce } from "@/server/kernel/reclaim/watch-turns";
import { withUnit } from "@/server/kernel/unit";

const DYING = -1;
const TRIES_MAX = 400;
const WAIT_MS = 20;

/** The id of the deletion, of which one unit is done. */
export async function beginDeleting(kernel: Kernel, run: { project_id: string; root_turn_id: string }) {
  const dying = { ...kernel, tunables: { ...kernel.tunables, purgeTickMs: DYING } };
  return (await deleteRun(dying, { ...run, by: "human_ann", reason: "" })).deletion_id;
}

export async function untilDeleted(kernel: Kernel, key: { project_id: string; deletion_id: string }) {
  for (let i = 0; i < TRIES_MAX; i++) {
    const one = await readDeletion(kernel, key);
    if (one.ended_at !== undefined) return one;
    await watchOnce(kernel);
    await new Promise((next) => setTimeout(next, WAIT_MS));
  }
  throw new Error(`deletion ${key.deletion_id} did not end`);
}

/** The digest of a file whose only card has expired. */
export async function expireFile(kernel: Kernel, project_id: string): Promise<string> {
  const files = [{ mime: "text/plain", bytes: Buffer.from(project_id + Math.random()) }];
  const artifacts = artifactRefs(files, 100);
  const [{ sha256 = "" } = {}] = artifacts;
  const content = { kind: "tool_result", status: "success", artifacts } as const;
  const card = { card_id: sha256, type: "note", author_id: "ann", ttl_seconds: 1, content };
  await withUnit(kernel, async (unit) => {
    await storeArtifacts(unit, { project_id, files });
    await storeCards(unit, { project_id, drafts: [draftCard(kernel, { project_id, card })] });
  });
  await kernel.db.pool.query("UPDATE cards SET expires_at = now() - interval '1 s' WHERE card_id = $1", [sha256]);
  return sha256;
}
