// Indexes a folder of the server. It continues after the response; the workspace shows its progress and how it ended.
import { KernelError } from "@/server/contract/errors";
import type { Workspace } from "@/server/contract/workspace";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import type { Release } from "../slots";
import { failHold } from "./fail-hold";
import { type Hold, takeHold } from "./hold";
import { indexTree } from "./index-tree";
import { whileHeld } from "./keep-hold";
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
  const slot = kernel.indexSlots.tryTake();
  const hold = await takeHold(kernel, { ...input, is_waiting: slot === null }).catch((error: unknown) => {
    slot?.();
    throw error;
  });
  const over = inTurn(kernel, { hold, slot, kind, folder }).catch((error: unknown) => {
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

type Begun = { hold: Hold; slot: Release | null; kind: Workspace["kind"]; folder: string };

/** A server indexes few at a time. The hold is kept while it waits. */
async function inTurn(kernel: Kernel, { hold, slot, kind, folder }: Begun): Promise<void> {
  const release = slot ?? (await whileHeld(kernel, hold, () => kernel.indexSlots.take()));
  try {
    await indexTree(kernel, hold, { kind, source: readFolder(folder, sourceLimits) });
  } finally {
    release();
  }
}
