// The parts of a folder as a tar.gz whose bytes depend on nothing but theirs: no times, no owners, one order.
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { BUNDLE_PARTS, MANIFEST } from "@/server/contract/bundle/manifest";
import type { Folder } from "./folder";

export async function* writeTar(folder: Folder): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const out = new PassThrough();
  // Its header has neither a name nor a time.
  const zipped = pipeline(tar, createGzip({ level: 9 }), out);
  const filled = fill(tar, folder).catch((error: unknown) => tar.destroy(error as Error));
  // Said by `out` as well, to whoever reads it.
  zipped.catch(ignore);
  try {
    yield* out as AsyncIterable<Uint8Array>;
    await zipped;
  } finally {
    tar.destroy();
    await filled;
  }
}

async function fill(tar: ReturnType<typeof pack>, folder: Folder): Promise<void> {
  const first = [MANIFEST, ...BUNDLE_PARTS];
  const files = folder.names().filter((name) => !first.includes(name));
  for (const name of [...first, ...files.sort()]) {
    const { size } = folder.facts(name);
    const header = { name, size, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0, uname: "", gname: "" };
    await pipeline(folder.bytes(name), tar.entry(header));
  }
  tar.finalize();
}

const ignore = (): void => undefined;
