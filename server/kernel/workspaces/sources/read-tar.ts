// Reads a tar or a tar.gz. Its entries come in any order, a .gitignore perhaps after what it names: everything is written to
// one temporary file first, then the tree of names is walked like a folder.
import { Readable } from "node:stream";
import { extract, type Header } from "tar-stream";
import { isGoodPath } from "@/server/kernel/workspaces/sources/names";
import {
  type Skipped,
  SourceFault,
  type SourceFile,
  type SourceLimits,
  spooledBytesMax,
} from "@/server/kernel/workspaces/sources/source";
import { openSpool, type Spool } from "@/server/kernel/workspaces/sources/spool";
import { unpacked } from "@/server/kernel/workspaces/sources/unpacked";
import { type Entry, walkTree } from "@/server/kernel/workspaces/sources/walk-tree";

/** Names are held in memory: those of files that count, and of others that .gitignore may name. */
const entriesMax = (limits: SourceLimits) => 4 * limits.filesMax;

type Tree = Map<string, Map<string, Entry>>;

export async function* readTar(
  bytes: AsyncIterable<Uint8Array>,
  limits: SourceLimits,
): AsyncGenerator<SourceFile | Skipped> {
  const spool = await openSpool();
  try {
    const tree: Tree = new Map([["", new Map()]]);
    for await (const skipped of spoolEntries(bytes, spool, tree, limits)) yield skipped;
    yield* walkTree(async (folder) => [...(tree.get(folder)?.values() ?? [])], limits);
  } finally {
    await spool.remove();
  }
}

async function* spoolEntries(
  bytes: AsyncIterable<Uint8Array>,
  spool: Spool,
  tree: Tree,
  limits: SourceLimits,
): AsyncGenerator<Skipped> {
  const source = Readable.from(unpacked(bytes, spooledBytesMax(limits)));
  const entries = extract();
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  let count = 0;
  try {
    for await (const stream of entries) {
      if (++count > entriesMax(limits)) throw tooMany(entriesMax(limits));
      const skipped = await take(stream.header, stream, spool, tree, limits);
      if (skipped) yield skipped;
    }
    if (count === 0) throw unreadable("it is empty");
  } catch (error) {
    throw error instanceof SourceFault || (error as NodeJS.ErrnoException).syscall
      ? error
      : unreadable((error as Error).message);
  } finally {
    source.destroy();
    entries.destroy();
  }
}

async function take(
  header: Header,
  stream: AsyncIterable<unknown>,
  spool: Spool,
  tree: Tree,
  limits: SourceLimits,
): Promise<Skipped | undefined> {
  const path = header.name.replace(/^(\.\/+)+/, "").replace(/\/+$/, "");
  const kind = kindOf(header);
  const isSpooled = kind === "file" && header.size !== undefined && header.size <= limits.fileBytesMax;
  const at = spool.size();
  for await (const chunk of stream) if (isSpooled) await spool.append(chunk as Uint8Array);
  // The root itself.
  if (path === "" || path === ".") return undefined;
  if (!isGoodPath(path)) return { path, reason: "bad_name" };
  const cut = path.lastIndexOf("/");
  const name = path.slice(cut + 1);
  const size = header.size ?? 0;
  place(
    tree,
    path,
    kind === "file"
      ? { name, kind, size, mtimeMs: header.mtime?.getTime() ?? 0, read: () => spool.read(at, size) }
      : { name, kind },
  );
  return undefined;
}

function kindOf({ type, pax }: Header): Entry["kind"] {
  if (type === "directory") return "folder";
  if (type === "symlink" || type === "link") return "link";
  // The bytes of a sparse file are not those that a program would read.
  const isSparse = Object.keys(pax ?? {}).some((key) => key.startsWith("GNU.sparse."));
  return (type === "file" || type === "contiguous-file") && !isSparse ? "file" : "special";
}

/** Of two entries with one path the later one counts, as it does for a program that unpacks them. */
function place(tree: Tree, path: string, entry: Entry): void {
  const cut = path.lastIndexOf("/");
  const parent = path.slice(0, Math.max(0, cut));
  if (entry.kind !== "folder" && tree.has(path)) throw twice(path);
  if (entry.kind === "folder" && !tree.has(path)) tree.set(path, new Map());
  if (parent !== "" && !tree.has(parent))
    place(tree, parent, { name: parent.slice(parent.lastIndexOf("/") + 1), kind: "folder" });
  const siblings = tree.get(parent);
  if (entry.kind === "folder" && (siblings?.get(entry.name)?.kind ?? "folder") !== "folder") throw twice(path);
  siblings?.set(entry.name, entry);
}

const twice = (path: string) =>
  new SourceFault(
    "workspace_refused",
    `${path}: the tar names it as a folder and as something else. Make the tar again`,
    path,
  );

const tooMany = (most: number) =>
  new SourceFault("workspace_refused", `the tar has more than ${most} entries. Leave out what .gitignore names`);

const unreadable = (cause: string) =>
  new SourceFault(
    "workspace_refused",
    `the tar can't be read (${cause}). Make it again with tar -C folder -czf x.tar.gz .`,
  );
