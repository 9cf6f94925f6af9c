// PNG: chunks with checksums, from IHDR to IEND.
import { constants, crc32, inflateSync } from "node:zlib";
import type { Picture } from "./picture";

const SIGNATURE = "\x89PNG\r\n\x1a\n";
/** Of each color type, the bits that a sample may have. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** Of the compressed pixels: the first part shows whether they are any. */
const PROBE_BYTES = 4_096;

export function readPng(bytes: Buffer): Picture | null {
  if (bytes.length < 33 || bytes.toString("latin1", 0, 8) !== SIGNATURE) return null;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString("latin1", 12, 16) !== "IHDR") return null;
  if (!DEPTHS[bytes[25] ?? 0]?.includes(bytes[24] ?? 0)) return null;
  const pixels = pixelsIn(bytes);
  if (pixels === null || !isDeflated(pixels)) return null;
  return { mime: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The first of its compressed bytes; null if a chunk is broken or its end is missing. */
function pixelsIn(bytes: Buffer): Buffer | null {
  let pixels = Buffer.alloc(0);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (kind === "IEND") return pixels.length > 0 ? pixels : null;
    if (kind === "IDAT" && pixels.length < PROBE_BYTES)
      pixels = Buffer.concat([pixels, bytes.subarray(at + 8, Math.min(end, at + 8 + PROBE_BYTES))]);
    at = end + 4;
  }
  return null;
}

function isDeflated(pixels: Buffer): boolean {
  try {
    return inflateSync(pixels, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false;
  }
}
