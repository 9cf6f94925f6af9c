// Reads one file of a folder, and nothing that lies elsewhere: no link is followed at its end (O_NOFOLLOW), a device or a
// pipe can't hold us up (O_NONBLOCK), and a folder above it that became a link is seen by where the opened file really lies.
import { constants } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import path from "node:path";
import { SourceFault, type SourceLimits } from "@/server/kernel/workspaces/sources/source";

/** `size`: what the caller saw; another one means that the file changed. */
export async function readFile(real: string, inside: string, limits: SourceLimits, size?: number): Promise<Uint8Array> {
  const place = path.join(real, inside);
  const file = await open(place, inside);
  try {
    const before = await file.stat();
    if (!before.isFile()) throw changed(inside, "it is no regular file any more");
    if (!(await liesAt(file, place))) throw changed(inside, "a folder above it was replaced");
    if (before.size > limits.fileBytesMax)
      throw changed(inside, `it has more than ${limits.fileBytesMax} bytes by now`);
    if (size !== undefined && before.size !== size) throw changed(inside, "it has another size");
    const bytes = await readAll(file, before.size);
    const after = await file.stat();
    if (bytes.byteLength !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw changed(inside, "someone wrote to it");
    return bytes;
  } catch (error) {
    throw error instanceof SourceFault ? error : faultOfPath(error, inside);
  } finally {
    await file.close();
  }
}

async function open(place: string, inside: string): Promise<FileHandle> {
  try {
    return await fs.open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw faultOfPath(error, inside);
  }
}

/** Linux tells where an opened file lies; elsewhere the path must lead to the same file, through no link, after opening. */
async function liesAt(file: FileHandle, place: string): Promise<boolean> {
  if (process.platform === "linux") return (await fs.readlink(`/proc/self/fd/${file.fd}`)) === place;
  const [opened, named] = await Promise.all([file.stat({ bigint: true }), fs.lstat(place, { bigint: true })]);
  return opened.ino === named.ino && opened.dev === named.dev && (await fs.realpath(place)) === place;
}

async function readAll(file: FileHandle, size: number): Promise<Uint8Array> {
  // One more than there should be: a file that grows is noticed.
  const bytes = Buffer.alloc(size + 1);
  let at = 0;
  while (at < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, at, bytes.byteLength - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

const changed = (inside: string, cause: string) =>
  new SourceFault(
    "workspace_changed",
    `${inside}: changed while it was read (${cause}). Index the workspace again`,
    inside,
  );

export function faultOfPath(error: unknown, inside: string): SourceFault {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new SourceFault("workspace_gone", `${inside}: no longer there. Index the workspace again`, inside);
  // What O_NOFOLLOW and O_NONBLOCK say of a link and of a socket.
  if (code === "ELOOP" || code === "EMLINK" || code === "ENXIO" || code === "EOPNOTSUPP")
    return changed(inside, "it is no regular file any more");
  return new SourceFault(
    "workspace_refused",
    `${inside || "the folder"}: can't be read (${code ?? String(error)}). Give the server's user the right to read it, or name it in .gitignore`,
    inside,
  );
}
