// A pack reads a workspace in several statements. When another index is shown meanwhile, the rows of this one are gone.
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import type { Generation } from "./snapshot";

const SHOWN = `
  SELECT 1 FROM resource.workspaces WHERE project_id = $1 AND name = $2 AND generation = $3 AND snapshot_sha256 = $4`;

/** After each read of `of`: what came back is all there was. */
export async function refuseChanged(reader: Reader, of: Generation, snapshot_sha256: string): Promise<void> {
  const values = [of.project_id, of.name, of.generation, snapshot_sha256];
  if ((await read(reader, "workspace_shown", SHOWN, values)).length === 0) throw changedMeanwhile(of.name);
}

export const changedMeanwhile = (name: string): KernelError =>
  new KernelError("workspace_changed", `workspace: ${name} was indexed again meanwhile; repeat the request`, {
    path: "workspace",
  });
