// NOTIFY refuses 8,000 bytes, and a character may take six of them in JSON.

const lettersMax = 6_000;
const bytesMax = 6_000;

/** In order and without loss; never splits a surrogate pair. */
export function cutForRing(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let length = Math.min(lettersMax, text.length - at);
    while (bytesOf(text.slice(at, at + length)) > bytesMax) length = Math.ceil(length / 2);
    const isTorn = length > 1 && /[\ud800-\udbff]/.test(text.charAt(at + length - 1)) && at + length < text.length;
    const piece = text.slice(at, at + length - (isTorn ? 1 : 0));
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
