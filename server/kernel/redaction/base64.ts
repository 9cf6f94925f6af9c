// Secrets in base64: what is encoded is read by the same rules, and hidden as a whole when they find something. A name and its
// password, as of basic authentication, count only where they are announced.
import type { Hit } from "./hits";
import { mostTelling } from "./ruleset";

const SIGN = "[A-Za-z0-9+/_-]";
// Mails break it after 76 characters, PEM after 64.
const RUN = new RegExp(`(?<!${SIGN})(?:(?:${SIGN}{60,76}\\r?\\n){1,65536}${SIGN}{1,76}|${SIGN}{16,})={0,2}`, "g");
const PAIR = new RegExp(
  String.raw`(\bbasic[ \t]+|(?<![A-Za-z0-9])_?auth["'\\]{0,4}[ \t]?[:=][ \t]?["'\\]{0,4})(${SIGN}{4,1024}={0,2})(?![A-Za-z0-9+/=_-])`,
  "gi",
);

export function findInBase64(text: string, find: (text: string) => Hit[]): Hit[] {
  const hits: Hit[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const inside = decodedText(run);
    const kinds = inside === null ? [] : find(inside).map(({ kind }) => kind);
    if (kinds.length > 0) hits.push({ kind: kinds.reduce(mostTelling), from: index, to: index + run.length });
  }
  for (const { 1: before = "", 2: run = "", index } of text.matchAll(PAIR)) {
    const from = index + before.length;
    if (/^[^\s:]{0,256}:[^\r\n]+$/.test(decodedText(run) ?? ""))
      hits.push({ kind: "bearer", from, to: from + run.length });
  }
  return hits;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Null = it is no text: a picture, a hash, a word that only looks like base64. */
function decodedText(run: string): string | null {
  if (!isText(Buffer.from(run.slice(0, 64), "base64"))) return null;
  const bytes = Buffer.from(run, "base64");
  if (!isText(bytes)) return null;
  try {
    return utf8.decode(bytes);
  } catch {
    // Not UTF-8, so it is no text.
    return null;
  }
}

/** No control characters but tabs and line ends. */
const isText = (bytes: Buffer): boolean =>
  bytes.every((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10 || byte === 13);
