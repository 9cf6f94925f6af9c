// WebP: a RIFF file of chunks, one of which holds the picture or its first frame.
import type { Picture } from "./picture";

type Size = { width: number; height: number };

export function readWebp(bytes: Buffer): Picture | null {
  if (bytes.length < 20 || bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP")
    return null;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const found = sizeIn(bytes.subarray(0, end), 12);
  return found && { mime: "image/webp", ...found };
}

/** Of the canvas, where it says one. */
function sizeIn(bytes: Buffer, from: number): Size | null {
  let canvas: Size | null = null;
  let picture: Size | null = null;
  for (let at = from; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null;
    const kind = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return null;
    if (kind === "VP8X" && length >= 10)
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    if (kind === "VP8 ") picture ??= lossy(data);
    if (kind === "VP8L") picture ??= lossless(data);
    // A frame of an animation: its chunks come after 16 bytes of its own.
    if (kind === "ANMF" && length > 16) picture ??= sizeIn(data, 16);
    at += 8 + length + (length % 2);
  }
  return picture && (canvas ?? picture);
}

function lossy(data: Buffer): Size | null {
  if (data.length <= 10) return null;
  const tag = data.readUIntLE(0, 3);
  // Of a key frame, with room for the first of its parts.
  const isKeyFrame = (tag & 1) === 0 && tag >>> 5 <= data.length - 10 && data.readUIntBE(3, 3) === 0x9d012a;
  return isKeyFrame ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } : null;
}

function lossless(data: Buffer): Size | null {
  if (data.length < 6 || data[0] !== 0x2f) return null;
  const packed = data.readUInt32LE(1);
  // Of the version there is only one.
  if (packed >>> 29 !== 0) return null;
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}
