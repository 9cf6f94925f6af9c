import { expect, test } from "vitest";
import { pictureOf } from "./picture-of";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const pad = (bytes: Buffer, to = 64) => Buffer.concat([bytes, Buffer.alloc(Math.max(0, to - bytes.length))]);

test.each([
  ["png", hex("89504e470d0a1a0a 0000000d 49484452 00000280 000001e0"), { mime: "image/png", width: 640, height: 480 }],
  ["gif", pad(hex("474946383961 8002 e001")), { mime: "image/gif", width: 640, height: 480 }],
  [
    "jpeg behind a segment",
    hex("ffd8 ffe0 0004 0000 ffc0 0011 08 01e0 0280 03 0000000000"),
    { mime: "image/jpeg", width: 640, height: 480 },
  ],
  [
    "webp, extended",
    pad(hex("52494646 00000000 57454250 56503858 0a000000 00000000 7f0200 df0100")),
    { mime: "image/webp", width: 640, height: 480 },
  ],
  [
    "webp, lossless",
    pad(hex("52494646 00000000 57454250 5650384c 00000000 2f 7fc27700")),
    { mime: "image/webp", width: 640, height: 480 },
  ],
])("%s", (_, bytes, picture) => {
  expect(pictureOf(bytes)).toEqual(picture);
});

test.each([
  ["svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ["html", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["html behind a beginning like a GIF's", pad(hex("474946383961 0000 0000"))],
  ["a PNG that ends early", hex("89504e470d0a1a0a")],
  ["a JPEG without a frame", hex("ffd8 ffd9")],
  ["a JPEG whose segments lead nowhere", hex("ffd8 ffe0 0000 ffe0 0000 ffe0")],
  ["a PDF", Buffer.from("%PDF-1.7")],
  ["nothing", Buffer.alloc(0)],
])("no picture: %s", (_, bytes) => {
  expect(pictureOf(bytes)).toBeNull();
});
