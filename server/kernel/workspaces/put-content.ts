// Takes in a git bundle or a tar as a workspace: read from a temporary file and indexed as a folder is.
// The bytes of its texts are kept by digest.
import { KernelError } from "@/server/contract/errors";
import type { Workspace } from "@/server/contract/workspace";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { failHold } from "./fail-hold";
import { takeHold } from "./hold";
import { indexTree } from "./index-tree";
import { kernelErrorOf } from "./kernel-error-of";
import { sourceLimits } from "./limits";
import { readWorkspace, type WorkspaceInput } from "./read-workspaces";
import { saveWorkspace } from "./save-workspace";
import { readBundle } from "./sources/read-bundle";
import { readTar } from "./sources/read-tar";

const BUNDLE = Buffer.from("# v");

type ContentInput = WorkspaceInput & { parts: AsyncIterable<Uint8Array> };

/** The former content and its kind stay when this is refused. busy: its sender would wait with an open request. */
export async function putContent(kernel: Kernel, input: ContentInput): Promise<Workspace> {
  const release = kernel.indexSlots.tryTake();
  if (!release)
    throw new KernelError(
      "busy",
      "the server is already indexing as many workspaces as it can at once. Try again in a minute",
    );
  try {
    return await takeIn(kernel, input);
  } finally {
    release();
  }
}

async function takeIn(kernel: Kernel, { project_id, name, parts }: ContentInput): Promise<Workspace> {
  const source = await begin(parts);
  const kind = source.first.subarray(0, BUNDLE.length).equals(BUNDLE) ? "bundle" : "tar";
  await withUnit(kernel, (unit) => saveWorkspace(unit, { project_id, name, kind }));
  const hold = await takeHold(kernel, { project_id, name });
  try {
    const read = kind === "bundle" ? readBundle : readTar;
    await indexTree(kernel, hold, { kind, source: read(source.all, sourceLimits) });
  } catch (error) {
    await failHold(kernel, hold, error);
    throw kernelErrorOf(error);
  }
  return readWorkspace(kernel, { project_id, name });
}

/** The first bytes say what it is; they may arrive one at a time. */
async function begin(parts: AsyncIterable<Uint8Array>): Promise<{ first: Buffer; all: AsyncGenerator<Uint8Array> }> {
  const rest = parts[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < BUNDLE.length) {
    const step = await rest.next();
    if (step.done) break;
    first = Buffer.concat([first, step.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (first.length > 0) yield first;
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
  }
  return { first, all: all() };
}
