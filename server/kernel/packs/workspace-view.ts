// A registered workspace as a pack reads it: once, as a listing by digest. What a pack used is stored with it, so that it can be
// built again when the folder has changed.
import type { SnapshotFile } from "@/server/contract/context-pack/build-input";
import { KernelError } from "@/server/contract/errors";
import type { Reader } from "../reader";

export type WorkspaceView = {
  name: string;
  snapshot: () => Promise<{ sha256: string; bytes: Uint8Array; files: SnapshotFile[] }>;
  /** The best first. */
  search: (query: string, limit: number) => Promise<{ path: string; score: number }[]>;
  /** By digest; what it no longer has is left out. */
  read: (sha256s: readonly string[]) => Promise<Map<string, Uint8Array>>;
};

/** not_found: this version registers none. */
export async function openWorkspace(
  _reader: Reader,
  { project_id, name }: { project_id: string; name: string },
): Promise<WorkspaceView> {
  throw new KernelError(
    "not_found",
    `workspace: ${name} is not registered in project ${project_id}. Leave it out, and give boxes or cards`,
    { path: "workspace" },
  );
}
