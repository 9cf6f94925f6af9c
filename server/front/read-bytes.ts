// Reads bodies up to a limit, within a time, from a shared memory budget: each route limits one body, and this limits sixty
// of them. A sender that stops, or sends a byte now and then, is refused instead of being waited for.
import { KernelError } from "../contract/errors";

/** After this long without a byte, the sender counts as gone. */
const silentMs = 20_000;
/** Whole bodies: this, and time for their limit over 256 kbit/s. */
const wholeMs = 30_000;
const bytesPerMs = 32;
/** For each body before it needs a share of the budget: frequent small bodies never wait for rare large ones. */
const freeBytes = 65_536;
/** For all large bodies together, until they are parsed or imported. Enough for one import at its limit and several others. */
const heldBytesMax = 83_886_080;

export type Patience = { silentMs?: number; wholeMs?: number };

/** payload_too_large as soon as the limit is passed, whatever Content-Length said. Never cancels: that cuts off the answer. */
export function readBytes(request: Request, bytesMax: number, patience: Patience = {}): Promise<Uint8Array> {
  return withBytes(request, bytesMax, async (bytes) => bytes, patience);
}

/** The same, for a body whose result also counts: its share is held until `use` is done. */
export async function withBytes<T>(
  request: Request,
  bytesMax: number,
  use: (bytes: Uint8Array) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  const tooLarge = () =>
    new KernelError("payload_too_large", `the body is over ${bytesMax} bytes, the limit here; send less`);
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  if (!request.body) return use(new Uint8Array());
  const reader = request.body.getReader();
  const next = readPart(reader, bytesMax, patience);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let share = 0;
  try {
    for (;;) {
      const part = await next();
      if (part === null) return await use(new Uint8Array(Buffer.concat(chunks)));
      size += part.length;
      if (size > bytesMax) throw tooLarge();
      share += takeShare(Math.max(0, size - freeBytes) - share);
      chunks.push(part);
    }
  } finally {
    store().bytes -= share;
  }
}

/** Gives one part after another, null at the end; request_timeout if one is late, or all together are. */
export function readPart(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
  patience: Patience,
): () => Promise<Uint8Array | null> {
  const until = Date.now() + (patience.wholeMs ?? wholeMs + bytesMax / bytesPerMs);
  return async () => {
    const part = await within(Math.min(patience.silentMs ?? silentMs, until - Date.now()), reader.read());
    return part.done ? null : part.value;
  };
}

function takeShare(bytes: number): number {
  const held = store();
  if (held.bytes + bytes > heldBytesMax)
    throw new KernelError("busy", "the server is busy with other large requests; try again in a few seconds");
  held.bytes += bytes;
  return bytes;
}

async function within<T>(ms: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new KernelError("request_timeout", "the body did not arrive in time; send it again")),
      Math.max(0, ms),
    );
  });
  // Nobody reads on after the refusal.
  reading.catch(() => undefined);
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

// Route handlers are bundled separately but share one memory.
const kept = globalThis as typeof globalThis & { switchyardBodies?: { bytes: number } };
function store(): { bytes: number } {
  kept.switchyardBodies ??= { bytes: 0 };
  return kept.switchyardBodies;
}
