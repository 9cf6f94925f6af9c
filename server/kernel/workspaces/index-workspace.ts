// Indexes a folder of the server. It goes on after the answer; the workspace says how far it is, and how it ended.
import { KernelError } from "@/server/contract/errors";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import { failHold } from "./fail-hold";
import { takeHold } from "./hold";
import { indexTree } from "./index-tree";
import { sourceLimits } from "./limits";
import { readRow, type WorkspaceInput } from "./read-workspaces";
import { folderOf } from "./save-workspace";
import { readFolder } from "./sources/read-folder";

/** When the promise is there, it has begun; `over` resolves at its end, also after a failure. */
export async function indexWorkspace(kernel: Kernel, input: WorkspaceInput): Promise<{ over: Promise<void> }> {
  const { kind } = await readRow(kernel, input);
  if (kind !== "folder")
    throw new KernelError("conflict", "name: an upload is indexed when it arrives; send its content again");
  const folder = folderOf(kernel, input).path;
  const hold = await takeHold(kernel, input);
  const over = indexTree(kernel, hold, { kind, source: readFolder(folder, sourceLimits) }).catch((error: unknown) => {
    log().warn({ error: String(error), workspace: input.name }, "a workspace could not be indexed");
    return failHold(kernel, hold, error);
  });
  return {
    over: over.catch((error: unknown) =>
      log().warn(
        { error: String(error), workspace: input.name },
        "the end of an index was not written; its hold runs out",
      ),
    ),
  };
}
