// Estimated tokens (o200k). The encoder is quadratic in the length of one unbroken run: 64,000 times "a" cost it 7 s, a
// megabyte of letters in runs of 256 still 8 s. Runs are cut; words and lines as people write them are shorter.
import { clearMergeCache, countTokens as count, setMergeCacheSize } from "gpt-tokenizer/encoding/o200k_base";

const RUN_MAX = 64;

// The encoder's own cache of 100,000 words walks over what it evicted, and its keys keep the whole texts they were cut
// from alive: small, and emptied after every long text.
setMergeCacheSize(1000);
const CACHED_MAX = 20_000;

/**
 * Letters in no order are few tokens' worth each: a megabyte of them held the process for a second and a half. Beyond the
 * first number, windows spread over the text are counted and the rest is taken to be like them. It is an estimate either way.
 */
const WHOLE_MAX = 131_072;
const WINDOWS = 16;
const WINDOW = WHOLE_MAX / WINDOWS;

export function countTokens(text: string): number {
  const sum = text.length > WHOLE_MAX ? estimate(text) : countRuns(text);
  if (text.length > CACHED_MAX) clearMergeCache();
  return sum;
}

function estimate(text: string): number {
  const step = (text.length - WINDOW) / (WINDOWS - 1);
  let sum = 0;
  for (let i = 0; i < WINDOWS; i++) sum += countRuns(text.slice(Math.round(i * step), Math.round(i * step) + WINDOW));
  return Math.round((sum / (WINDOWS * WINDOW)) * text.length);
}

function countRuns(text: string): number {
  let sum = 0;
  let start = 0;
  let runStart = 0;
  let runClass = -1;
  for (let i = 0; i < text.length; i++) {
    const charClass = classOf(text.charCodeAt(i));
    if (charClass !== runClass) {
      runClass = charClass;
      runStart = i;
    } else if (i - runStart >= RUN_MAX && !isLowSurrogate(text.charCodeAt(i))) {
      sum += countPiece(text.slice(start, i));
      start = i;
      runStart = i;
    }
  }
  return sum + countPiece(text.slice(start));
}

// Text such as "<|endoftext|>" is text here; the encoder refuses it unless told so.
const asText = { disallowedSpecial: new Set<string>() };

const countPiece = (piece: string): number => (piece === "" ? 0 : count(piece, asText));

function classOf(code: number): number {
  if (code >= 128 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 0;
  if (code >= 48 && code <= 57) return 1;
  return code === 32 || (code >= 9 && code <= 13) ? 2 : 3;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
