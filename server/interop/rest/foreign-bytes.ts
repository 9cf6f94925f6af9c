// How stored bytes are served. They are untrusted: whatever type they claim, browsers show only pictures, and no script in them
// runs here.
import { LENGTH_HEADER } from "@/server/contract/length-header";
import { pictureOf } from "@/server/kernel/artifacts/picture-of";
import type { StoredArtifact } from "@/server/kernel/artifacts/read-artifacts";
import { piecesOf } from "@/server/kernel/artifacts/stream-blob";
import type { Kernel } from "@/server/kernel/kernel";

type Given = {
  kernel: Kernel;
  project_id: string;
  artifact: StoredArtifact;
  request: Request;
  /** For a download; of characters that need no quoting. */
  filename: string;
};

export function serveBytes({ kernel, project_id, artifact, request, filename }: Given): Response {
  const { sha256, size, bytes, blob_id } = artifact;
  // What is too large for a row is no picture for a page either.
  const picture = bytes && pictureOf(bytes);
  const etag = `"${sha256}"`;
  // Asked for each time: a file that was deleted with its card must not stay readable in a browser for a year.
  const kept = { etag, "cache-control": "private, no-cache" };
  if (namesIt(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: kept });
  const headers = {
    ...kept,
    "content-type": picture?.mime ?? "application/octet-stream",
    "content-disposition": picture ? "inline" : `attachment; filename="${filename}"`,
    "content-length": String(size),
    [LENGTH_HEADER]: String(size),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  if (request.method === "HEAD") return new Response(null, { headers });
  if (bytes) return new Response(new Uint8Array(bytes), { headers });
  if (blob_id === null) throw new Error(`artifact ${sha256} has neither bytes nor pieces`);
  return new Response(streamOf(piecesOf(kernel, { project_id, blob_id, size })), { headers });
}

/** One piece is read ahead of the reader, no more. */
export function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 1 },
  );
}

/** If-None-Match: the reader has it already. A digest is the same under `W/`, which a compressing proxy adds. */
const namesIt = (given: string | null, etag: string): boolean =>
  given !== null && (given.trim() === "*" || given.split(",").some((one) => one.trim().replace(/^W\//, "") === etag));
