// The type and size of a picture, read from its first bytes: what the server calls it is not trusted.
import type { pictureTypes } from "@/server/contract/artifact";

export type Picture = { mime: (typeof pictureTypes)[number]; width: number; height: number };

/** null for anything that is not a PNG, JPEG, GIF or WebP whose size can be read. */
export function pictureOf(given: Uint8Array): Picture | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const found = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
  return found !== null && found.width > 0 && found.height > 0 ? found : null;
}

function png(bytes: Buffer): Picture | null {
  if (bytes.length < 24 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > 65_535 || height > 65_535 ? null : { mime: "image/png", width, height };
}

function gif(bytes: Buffer): Picture | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return null;
  return { mime: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webp(bytes: Buffer): Picture | null {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP")
    return null;
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X")
    return { mime: "image/webp", width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ")
    return { mime: "image/webp", width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L" || bytes[20] !== 0x2f) return null;
  const packed = bytes.readUInt32LE(21);
  return { mime: "image/webp", width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

/** The size is in the first frame header, after segments of any length. */
function jpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes[2] !== 0xff) return null;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { mime: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7) ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
