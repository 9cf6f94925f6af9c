// GIF: blocks of pieces, each piece with its length. Some programs leave out the last byte, and every reader accepts that.
import type { Picture } from "./picture";

const TRAILER = 0x3b;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

export function readGif(bytes: Buffer): Picture | null {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return null;
  if (!hasImage(bytes)) return null;
  return { mime: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function hasImage(bytes: Buffer): boolean {
  let images = 0;
  for (let at: number | null = 13 + tableSize(bytes[10] ?? 0); at !== null; ) {
    const kind = bytes[at];
    if (kind === TRAILER || (kind === undefined && at === bytes.length)) return images > 0;
    if (kind === EXTENSION) {
      at = endOfPieces(bytes, at + 2);
      continue;
    }
    if (kind !== IMAGE || at + 11 > bytes.length) return false;
    const data: number = at + 10 + tableSize(bytes[at + 9] ?? 0);
    const codeSize = bytes[data] ?? 0;
    if (codeSize < 1 || codeSize > 8 || bytes[data + 1] === 0) return false;
    at = endOfPieces(bytes, data + 1);
    images++;
  }
  return false;
}

const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** After the empty piece; null if there is none. */
function endOfPieces(bytes: Buffer, from: number): number | null {
  for (let at = from; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return null;
}
