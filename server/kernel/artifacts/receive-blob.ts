// Takes in bytes of any length in constant memory: pieces are stored as they arrive, and the digest is computed on the way. What
// an upload that died has left is readable by nobody, and the watchdog deletes it.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";

/** Of one piece, and of what is kept in memory for each upload. */
const PIECE_BYTES = 1_048_576;

/** `blob_id` is null for what fits into one piece: `bytes` has it. */
export type Received = { sha256: string; size: number; blob_id: string | null; bytes: Buffer | null };

type Given = { project_id: string; bytesMax: number; parts: AsyncIterable<Uint8Array> };

const BEGIN = "INSERT INTO resource.artifact_blobs (project_id, blob_id) VALUES ($1, $2)";
const ADD = `
  WITH here AS (
    UPDATE resource.artifact_blobs SET touched_at = now() WHERE project_id = $1 AND blob_id = $2 RETURNING blob_id
  )
  INSERT INTO resource.artifact_chunks (project_id, blob_id, n, bytes) SELECT $1, blob_id, $3, $4 FROM here RETURNING n`;
const DROP = "DELETE FROM resource.artifact_blobs WHERE project_id = $1 AND blob_id = $2";

/** payload_too_large as soon as the limit is passed. When the sender breaks off, its error, and nothing stays. */
export async function receiveBlob(kernel: Kernel, { project_id, bytesMax, parts }: Given): Promise<Received> {
  const digest = createHash("sha256");
  const blob_id = kernel.newId();
  let size = 0;
  let count = 0;
  try {
    let last: Buffer | null = null;
    for await (const piece of inPieces(parts)) {
      size += piece.byteLength;
      if (size > bytesMax)
        throw new KernelError("payload_too_large", `the artifact is over ${bytesMax} bytes, the limit here; send less`);
      digest.update(piece);
      if (last) await addPiece(kernel, { project_id, blob_id, n: count++, bytes: last });
      last = piece;
    }
    if (count > 0 && last) await addPiece(kernel, { project_id, blob_id, n: count++, bytes: last });
    const sha256 = digest.digest("hex");
    return count > 0
      ? { sha256, size, blob_id, bytes: null }
      : { sha256, size, blob_id: null, bytes: last ?? Buffer.alloc(0) };
  } catch (error) {
    if (count > 0) await tryToDrop(kernel, { project_id, blob_id });
    throw error;
  }
}

type Blob = { project_id: string; blob_id: string | null };

export async function dropBlob(unit: Unit, { project_id, blob_id }: Blob): Promise<void> {
  await unit.query("blob_drop", DROP, [project_id, blob_id]);
}

/** After an error, which is the caller's answer. */
export async function tryToDrop(kernel: Kernel, blob: Blob): Promise<void> {
  await withUnit(kernel, (unit) => dropBlob(unit, blob)).catch((error: unknown) =>
    log().debug({ error: String(error) }, "pieces of a failed upload are left to the watchdog"),
  );
}

type Piece = { project_id: string; blob_id: string; n: number; bytes: Buffer };

async function addPiece(kernel: Kernel, { project_id, blob_id, n, bytes }: Piece): Promise<void> {
  await withUnit(kernel, async (unit) => {
    if (n === 0) await unit.query("blob_begin", BEGIN, [project_id, blob_id]);
    const added = await unit.query("blob_add", ADD, [project_id, blob_id, n, bytes]);
    if (added.length > 0) return;
    throw new KernelError("request_timeout", "the body did not arrive in time; send it again");
  });
}

/** Of equal length, except the last: how a sender cuts its body must not decide how many rows it becomes. */
async function* inPieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.byteLength; ) {
      const taken = part.subarray(at, at + PIECE_BYTES - size);
      held.push(taken);
      size += taken.byteLength;
      at += taken.byteLength;
      if (size < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}
