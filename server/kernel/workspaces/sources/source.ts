// What a folder, a tar and a git bundle have in common: a stream of files, of names that were left out, and errors with a
// name. The index reads nothing else, so that it can't tell the three apart, and equal trees give equal snapshots.

/** One regular file. `read` gives its bytes, or throws SourceFault. It works until the reading of the source has ended. */
export type SourceFile = { path: string; size: number; mtimeMs?: number; read: () => Promise<Uint8Array> };

/** What is not in the snapshot, by reason. What .gitignore names is left out without a word. */
export type Skipped = { path: string; reason: "link" | "special" | "too_large" | "bad_name" | "too_many" };

export type SourceLimits = { filesMax: number; fileBytesMax: number; totalBytesMax: number };

export type SourceFaultCode = "workspace_gone" | "workspace_changed" | "workspace_refused";

export class SourceFault extends Error {
  override readonly name = "SourceFault";
  constructor(
    readonly code: SourceFaultCode,
    message: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

/** An upload may also hold what .gitignore names, and that is known only when all of it has been read. */
export const spooledBytesMax = (limits: SourceLimits) => 4 * limits.totalBytesMax;

export const faultOfSize = (bytes: number) =>
  new SourceFault(
    "workspace_refused",
    `the upload unpacks to more than ${bytes} bytes. Leave out what .gitignore names, or make it smaller`,
  );
