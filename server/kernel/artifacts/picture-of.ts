// The type and size of a picture, read from its bytes: neither the type that the server claims nor the first bytes are trusted.
// A provider that is sent half a picture refuses the whole request, and the turn fails.
import type { Picture } from "./picture";
import { readGif } from "./read-gif";
import { readJpeg } from "./read-jpeg";
import { readPng } from "./read-png";
import { readWebp } from "./read-webp";

const SIZE_MAX = 65_535;

/** null for anything that is not a PNG, JPEG, GIF or WebP from its first byte to its end. Its pixels are not looked at. */
export function pictureOf(given: Uint8Array): Picture | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const found = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  return found !== null && isSize(found.width) && isSize(found.height) ? found : null;
}

const isSize = (pixels: number): boolean => pixels > 0 && pixels <= SIZE_MAX;
