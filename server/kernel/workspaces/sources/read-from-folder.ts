// The bytes of one file of a folder as the index saw it. A pack is made of what its snapshot names and of nothing newer, so
// another digest is an error that says what to do.
import { createHash } from "node:crypto";
import { isGoodPath } from "@/server/kernel/workspaces/sources/names";
import { readFile } from "@/server/kernel/workspaces/sources/read-file";
import { realRoot } from "@/server/kernel/workspaces/sources/read-folder";
import { SourceFault, type SourceLimits } from "@/server/kernel/workspaces/sources/source";

export async function readFromFolder(
  root: string,
  path: string,
  sha256: string,
  limits: SourceLimits,
): Promise<Uint8Array> {
  if (!isGoodPath(path)) throw new SourceFault("workspace_refused", `${path}: no path inside a workspace`, path);
  const bytes = await readFile(await realRoot(root), path, limits);
  if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
  throw new SourceFault(
    "workspace_changed",
    `${path}: changed since the workspace was indexed. Index the workspace again`,
    path,
  );
}
