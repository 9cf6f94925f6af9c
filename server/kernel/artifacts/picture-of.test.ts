import { expect, test } from "vitest";
import { pictureOf } from "./picture-of";

const of = (base64: string) => Buffer.from(base64, "base64");
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

/** Whole pictures of 8 x 6 pixels, as encoders write them. */
const whole = {
  png: of(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAMAAADJ2y/JAAAAA1BMVEWAgICQdD0xAAAAAXRSTlOArV5bRgAAAAlwSFlzAAAD6AAAA+gBtXtSawAAAAxJREFUCJljYCAHAAAANgAB42mUmwAAAABJRU5ErkJggg==",
  ),
  gif: of("R0lGODlhCAAGAIAAAExpcYCAgCH5BAUAAAAALAAAAAAIAAYAAAIGjI+py30FADs="),
  jpeg: of(
    "/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAGAAgDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==",
  ),
  "progressive jpeg": of(
    "/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wgARCAAGAAgDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQBAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhADEAAAAQP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAEFAn//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/AX//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/AX//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAY/An//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/IX//2gAMAwEAAgADAAAAEAP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/EH//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/EH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==",
  ),
  webp: of("UklGRiQAAABXRUJQVlA4IBgAAABQAQCdASoIAAYAAUAmJaQABHQAAORAAAA="),
  "lossless webp": of("UklGRiIAAABXRUJQVlA4TBYAAAAvB0ABEAdQwAIWsIABgCD8b5uI6H8I"),
  "extended webp": of(
    "UklGRk4AAABXRUJQVlA4WAoAAAAQAAAABwAABQAAQUxQSA8AAAABB1DAiAgABOF/20RE/0MAVlA4IBgAAABQAQCdASoIAAYAAUAmJaQABHQAAORAAAA=",
  ),
};
const cases = Object.entries(whole);

test.each(cases)("%s", (kind, bytes) => {
  expect(pictureOf(bytes)).toEqual({ mime: `image/${kind.split(" ").at(-1)}`, width: 8, height: 6 });
});

test.each(cases)("%s: a part of it is not accepted", (kind, bytes) => {
  // Readers accept a GIF without its last byte.
  const most = kind === "gif" ? bytes.length - 1 : bytes.length;
  for (let length = 0; length < most; length++)
    expect([length, pictureOf(bytes.subarray(0, length))]).toEqual([length, null]);
});

test.each(cases)("%s: a header followed by noise is not accepted", (kind, bytes) => {
  // After its frame's header a WebP has no markers: any bytes there are pixels.
  const kept = kind.endsWith("webp") ? [16, 24] : [16, 24, 33];
  for (const length of kept) expect(pictureOf(Buffer.concat([bytes.subarray(0, length), noise()]))).toBeNull();
  if (kind.endsWith("webp")) return;
  const broken = Buffer.from(bytes);
  noise().copy(broken, 33);
  expect(pictureOf(broken)).toBeNull();
});

function noise(): Buffer {
  const bytes = Buffer.alloc(4_000);
  for (let i = 0, seed = 7; i < bytes.length; i++) {
    seed = (seed * 48_271) % 2_147_483_647;
    bytes[i] = seed & 0xff;
  }
  return bytes;
}

test("the pixels of a PNG must be compressed bytes, even if every checksum is right", () => {
  // A chunk IDAT of four letters.
  const letters = hex("00000004 49444154 61626364 26e5f50a".replaceAll(" ", ""));
  const at = whole.png.indexOf("IDAT") - 4;
  expect(pictureOf(Buffer.concat([whole.png.subarray(0, at), letters, whole.png.subarray(-12)]))).toBeNull();
});

test.each([
  ["svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ["html", Buffer.from("<!doctype html><script>alert(1)</script>")],
  [
    "html behind a beginning like a GIF's",
    Buffer.concat([hex("474946383961 0100 0100 00 00 00"), Buffer.from("<html>")]),
  ],
  ["a PNG that ends early", hex("89504e470d0a1a0a")],
  ["a JPEG without a frame", hex("ffd8 ffd9")],
  ["a JPEG whose segments lead nowhere", hex("ffd8 ffe0 0000 ffe0 0000 ffe0")],
  ["a PDF", Buffer.from("%PDF-1.7")],
  ["nothing", Buffer.alloc(0)],
])("no picture: %s", (_, bytes) => {
  expect(pictureOf(bytes)).toBeNull();
});
