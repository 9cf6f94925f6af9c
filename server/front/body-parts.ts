// A body part by part, for what is stored while it arrives. Nothing is collected here, so it takes no share of the memory for
// bodies; a sender that stops, or that sends a byte now and then, is refused as everywhere.
import { KernelError } from "../contract/errors";
import { type Patience, readPart } from "./read-bytes";

/** payload_too_large if Content-Length says so; request_timeout when fewer bytes came than it said. */
export async function* bodyParts(
  request: Request,
  bytesMax: number,
  patience: Patience = {},
): AsyncGenerator<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > bytesMax)
    throw new KernelError("payload_too_large", `the body is over ${bytesMax} bytes, the limit here; send less`);
  let size = 0;
  if (request.body) {
    const reader = request.body.getReader();
    const next = readPart(reader, bytesMax, patience);
    for (let part = await arrived(next); part; part = await arrived(next)) {
      size += part.byteLength;
      yield part;
    }
  }
  // A client that hangs up ends its body like one that is done.
  if (request.signal.aborted || (declared !== null && size < Number(declared))) throw brokenOff();
}

const brokenOff = (): KernelError =>
  new KernelError("request_timeout", "the connection ended before the whole body had arrived; send it again");

async function arrived(next: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  try {
    return await next();
  } catch (error) {
    if (error instanceof KernelError) throw error;
    // The socket's own error, whose text says nothing to a caller.
    throw brokenOff();
  }
}
