// The bytes of a tar, unpacked where they come as gzip. What comes out is counted while it comes, so that a small upload of
// nothing but zeros ends at the limit and not at the end of the disk.
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { faultOfSize, SourceFault } from "@/server/kernel/workspaces/sources/source";

export async function* unpacked(bytes: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  for (let size = 0; size < 2; ) {
    const next = await chunks.next();
    if (next.done) break;
    head.push(next.value);
    size += next.value.byteLength;
  }
  const start = Buffer.concat(head);
  const all = withHead(start, chunks);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  let size = 0;
  for await (const chunk of isGzip ? gunzip(all) : all) {
    size += chunk.byteLength;
    if (size > bytesMax) throw faultOfSize(bytesMax);
    yield chunk;
  }
}

async function* withHead(start: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield start;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes);
  const unzip = createGunzip();
  source.on("error", (error) => unzip.destroy(error));
  source.pipe(unzip);
  try {
    for await (const chunk of unzip) yield chunk;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    throw new SourceFault(
      "workspace_refused",
      `the gzip can't be unpacked (${(error as Error).message}). Make it again with tar -czf`,
    );
  } finally {
    source.destroy();
    unzip.destroy();
  }
}
