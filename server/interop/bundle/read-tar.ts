// Unpacks a bundle into a folder. The file is from anywhere: it ends where it costs more than a run may, it names nothing but the parts
// of a bundle, each once, and no name of it ever becomes a path.
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { BUNDLE_LIMITS, BUNDLE_PARTS, MANIFEST } from "@/server/contract/bundle/manifest";
import { KernelError } from "@/server/contract/errors";
import { FILE, Folder } from "./folder";

/** Whoever asks removes the folder. payload_too_large at a limit, bad_request for everything else. */
export async function readTar(bytes: Uint8Array): Promise<Folder> {
  const folder = await Folder.open();
  const source = Readable.from(inflated(bytes));
  const entries = extract();
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  try {
    for await (const entry of entries) {
      const name = nameOf(entry.header, folder);
      await folder.add(name, new Uint8Array());
      for await (const chunk of entry as AsyncIterable<Uint8Array>) {
        await folder.add(name, chunk);
        refuseLongLine(name, folder);
        if (folder.lineCount > BUNDLE_LIMITS.linesMax)
          throw new KernelError(
            "payload_too_large",
            `the bundle has over ${BUNDLE_LIMITS.linesMax} lines, the limit here`,
          );
      }
    }
    return folder;
  } catch (error) {
    await folder.remove();
    if (error instanceof KernelError) throw error;
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw refused(
      `the file can't be read as a bundle (${(error as Error).message}); export the run again and send it whole`,
    );
  } finally {
    source.destroy();
    entries.destroy();
  }
}

/** Before it is read: a value is many times the size of its text. A piece of a tar is far shorter than the limit. */
function refuseLongLine(name: string, folder: Folder): void {
  const { lineBytesMax, requestBytesMax } = BUNDLE_LIMITS;
  const max = name === "requests.jsonl" ? requestBytesMax : lineBytesMax;
  if (FILE.test(name) || folder.openBytes(name) <= max) return;
  const line = folder.endedLines(name) + 1;
  throw new KernelError("payload_too_large", `${name} line ${line} is over ${max} bytes, the limit here`);
}

async function* inflated(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const { bytesMax, ratioMax, ratioFreeBytes } = BUNDLE_LIMITS;
  const gunzip = createGunzip();
  gunzip.end(bytes);
  let size = 0;
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bytesMax)
      throw new KernelError("payload_too_large", `the bundle is over ${bytesMax} bytes unpacked, the limit here`);
    if (size > ratioFreeBytes && size > ratioMax * bytes.byteLength)
      throw new KernelError(
        "payload_too_large",
        `the bundle unpacks to over ${ratioMax} times its size, the limit here`,
      );
    yield chunk;
  }
}

const KNOWN = new Set<string>([MANIFEST, ...BUNDLE_PARTS]);

function nameOf({ name, type }: Header, folder: Folder): string {
  const shown = name.slice(0, 120);
  if (type !== "file")
    throw refused(`${shown} is no plain file (${type ?? "of an unknown type"}); a bundle has plain files only`);
  if (!KNOWN.has(name) && !FILE.test(name)) throw refused(`${shown} does not belong into a bundle; take it out`);
  if (folder.has(name)) throw refused(`${shown} is in the tar twice; export the run again`);
  return name;
}

export const refused = (message: string, detail?: Record<string, unknown>): KernelError =>
  new KernelError("bad_request", message, detail);
