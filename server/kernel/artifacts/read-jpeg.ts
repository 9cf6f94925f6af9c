// JPEG: segments with their lengths, then scans of compressed pixels in which every marker is known, to the end of the image.
import type { Picture } from "./picture";

const [START, END, SCAN, TABLES] = [0xd8, 0xd9, 0xda, 0xdb];
/** Start of a frame, with the size; among them are three that are something else. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Without a length: restarts, and one for experiments. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

export function readJpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== START) return null;
  let size: { width: number; height: number } | null = null;
  let hasTables = false;
  let scans = 0;
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END) return size && hasTables && scans > 0 ? { mime: "image/jpeg", ...size } : null;
    if (isBare(marker)) {
      at += 2;
      continue;
    }
    if (marker < 0xc0 || marker === START || at + 4 > bytes.length) return null;
    const length = bytes.readUInt16BE(at + 2);
    const next = at + 2 + length;
    if (length < 2 || next > bytes.length) return null;
    if (isFrame(marker)) {
      if (length < 11 || length !== 8 + 3 * (bytes[at + 9] ?? 0)) return null;
      size ??= { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    if (marker === TABLES) hasTables = true;
    if (marker === SCAN) scans++;
    at = marker === SCAN ? endOfScan(bytes, next) : next;
  }
  return null;
}

/** Where the next marker is. Within a scan, 0xff stands before a zero, a restart or another 0xff. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1];
    if (marker !== undefined && marker !== 0 && marker !== 0xff && !isBare(marker)) return at;
  }
  return bytes.length;
}
