// A place on the disk for an upload while it is read: which of its files count is known only when all .gitignore files have
// been seen, and memory must not hold them until then. The folder is removed at the end, whatever happened.
import fs, { type FileHandle } from "node:fs/promises";
import path from "node:path";
import { SourceFault } from "@/server/kernel/workspaces/sources/source";
import { spoolPrefix } from "@/server/kernel/workspaces/sources/spool-names";

export type Spool = {
  folder: string;
  /** Where the next bytes will lie. */
  size: () => number;
  append: (bytes: Uint8Array) => Promise<void>;
  read: (at: number, size: number) => Promise<Uint8Array>;
  remove: () => Promise<void>;
};

export async function openSpool(name = "content"): Promise<Spool> {
  const folder = await fs.mkdtemp(spoolPrefix());
  const file = await fs.open(path.join(folder, name), "w+", 0o600);
  let size = 0;
  let isOpen = true;
  return {
    folder,
    size: () => size,
    append: async (bytes) => {
      await writeAll(file, bytes, size);
      size += bytes.byteLength;
    },
    read: async (at, length) => {
      if (!isOpen) throw ended;
      return readAll(file, at, length);
    },
    remove: async () => {
      isOpen = false;
      await file.close();
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}

const ended = new SourceFault(
  "workspace_gone",
  "the upload is no longer there: its reading has ended. Upload the content again",
);

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; )
    done += (await file.write(bytes, done, bytes.byteLength - done, at + done)).bytesWritten;
}

async function readAll(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new Error("the spooled upload is shorter than what was written to it");
    done += bytesRead;
  }
  return bytes;
}
