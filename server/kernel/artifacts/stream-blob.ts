// Reads a large value piece by piece, each when the one before has been taken: a slow reader costs one piece of memory.
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";

const PIECE = "SELECT bytes FROM resource.artifact_chunks WHERE project_id = $1 AND blob_id = $2 AND n = $3";

type Blob = { project_id: string; blob_id: string; size: number };

/** Ends with an error, and the answer with it, if the value is deleted meanwhile: half a value must not look like a whole one. */
export async function* piecesOf(reader: Reader, { project_id, blob_id, size }: Blob): AsyncGenerator<Buffer> {
  let given = 0;
  for (let n = 0; given < size; n++) {
    const [piece] = await read<{ bytes: Buffer }>(reader, "artifact_piece", PIECE, [project_id, blob_id, n]);
    if (!piece) throw new KernelError("not_found", "the artifact was deleted while it was read; read the list again");
    given += piece.bytes.byteLength;
    yield piece.bytes;
  }
}
