// Reads the tree of a git bundle: of its HEAD, or of the only reference it names. No git process sees an upload; isomorphic-git
// reads the pack, in a thread, after its sizes were checked.
import fs from "node:fs/promises";
import path from "node:path";
import { commitOf, HEADER_BYTES_MAX, refused } from "@/server/kernel/workspaces/sources/bundle-header";
import { openPack, type Pack, type PackEntry } from "@/server/kernel/workspaces/sources/open-pack";
import {
  faultOfSize,
  type Skipped,
  type SourceFile,
  type SourceLimits,
  spooledBytesMax,
} from "@/server/kernel/workspaces/sources/source";
import { openSpool, type Spool } from "@/server/kernel/workspaces/sources/spool";
import { type Entry, walkTree } from "@/server/kernel/workspaces/sources/walk-tree";

const PACK_NAME = "pack-upload";
/** A file above the limit of files may lie in the tree and is told; one above this is refused with the bundle. */
const OBJECT_BYTES_MAX = 64 * 1024 * 1024;
/** A history holds each file many times over, and all of it is unpacked to learn the names of its objects. */
const historyBytesMax = (limits: SourceLimits) => 8 * limits.totalBytesMax;
const objectsMax = (limits: SourceLimits) => 50 * limits.filesMax;

export async function* readBundle(
  bytes: AsyncIterable<Uint8Array>,
  limits: SourceLimits,
): AsyncGenerator<SourceFile | Skipped> {
  const spool = await openSpool(`${PACK_NAME}.pack`);
  const pack = openPack();
  try {
    const oid = commitOf(await spoolPack(bytes, spool, spooledBytesMax(limits)));
    const { tree } = await pack.open({
      gitdir: await layOut(spool),
      packName: PACK_NAME,
      oid,
      limits: {
        objectBytesMax: Math.max(OBJECT_BYTES_MAX, limits.fileBytesMax),
        historyBytesMax: historyBytesMax(limits),
        objectsMax: objectsMax(limits),
      },
    });
    const oids = new Map([["", tree]]);
    yield* walkTree((folder) => list(pack, oids, folder), limits);
  } finally {
    await pack.end();
    await spool.remove();
  }
}

/** The text before the pack; the pack itself goes to the disk as it comes. */
async function spoolPack(bytes: AsyncIterable<Uint8Array>, spool: Spool, bytesMax: number): Promise<string> {
  let start: Buffer | undefined = Buffer.alloc(0);
  let head: string | undefined;
  for await (const chunk of bytes) {
    let rest: Uint8Array = chunk;
    if (start) {
      start = Buffer.concat([start, chunk]);
      const end = start.indexOf("\n\n");
      if (end < 0 && start.byteLength <= HEADER_BYTES_MAX) continue;
      if (end < 0) throw refused("it is no git bundle of version 2 or 3");
      head = start.toString("utf8", 0, end);
      // Read now, so that a file of another kind is refused before all of it has come.
      commitOf(head);
      rest = start.subarray(end + 2);
      start = undefined;
    }
    if (spool.size() + rest.byteLength > bytesMax) throw faultOfSize(bytesMax);
    await spool.append(rest);
  }
  if (head === undefined) throw refused("it is no git bundle of version 2 or 3");
  return head;
}

/** What isomorphic-git takes for a repository: the pack in its place. */
async function layOut(spool: Spool): Promise<string> {
  const gitdir = path.join(spool.folder, "git");
  const folder = path.join(gitdir, "objects/pack");
  await fs.mkdir(folder, { recursive: true });
  await fs.rename(path.join(spool.folder, `${PACK_NAME}.pack`), path.join(folder, `${PACK_NAME}.pack`));
  return gitdir;
}

async function list(pack: Pack, oids: Map<string, string>, folder: string): Promise<Entry[]> {
  const oid = oids.get(folder);
  oids.delete(folder);
  if (oid === undefined) return [];
  const found = await pack.list(oid);
  if (new Set(found.map(({ name }) => name)).size < found.length)
    throw refused(`a folder names something twice (${folder || "the root folder"})`);
  return found.map((entry) => {
    if (kindOf(entry) === "folder") oids.set(folder === "" ? entry.name : `${folder}/${entry.name}`, entry.oid);
    return entryOf(pack, entry);
  });
}

function kindOf({ mode }: PackEntry): Entry["kind"] {
  if (mode === "40000" || mode === "040000") return "folder";
  if (mode === "120000") return "link";
  // Another repository (160000) is only a name here.
  return mode.startsWith("100") ? "file" : "special";
}

function entryOf(pack: Pack, entry: PackEntry): Entry {
  const { name, oid, size } = entry;
  const kind = kindOf(entry);
  if (kind !== "file") return { name, kind };
  if (size === undefined) throw refused(`the content of ${name.slice(0, 200)} is missing`);
  return { name, kind, size, read: () => pack.read(oid) };
}
