// Where a text stops being JSON. JSON.parse is fast but its messages name no line, and some no position at all. Plain
// JavaScript: it is part of a thread's file (file-reader.mjs).

/**
 * The first fault of a text that JSON.parse refused. Lines and columns count from 1.
 * @param {string} text
 * @returns {{ line: number, column: number, reason: string }}
 */
export function findJsonFault(text) {
  try {
    scan(text);
  } catch (error) {
    if (error instanceof Fault) return placeOf(text, error);
    throw error;
  }
  return placeOf(text, new Fault(text.length, "this cannot be read as JSON"));
}

class Fault extends Error {
  constructor(at, reason) {
    super(reason);
    this.at = at;
    this.reason = reason;
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const blank = /[ \t\n\r]*/y;

function scan(text) {
  // What closes each open bracket: a stack of our own, since nesting may be deeper than the call stack.
  const open = [];
  let at = skipBlank(text, 0);
  for (;;) {
    if (text[at] === "{" || text[at] === "[") {
      const close = text[at] === "{" ? "}" : "]";
      at = skipBlank(text, at + 1);
      if (text[at] !== close) {
        open.push(close);
        if (close === "}") at = readKey(text, at);
        continue;
      }
      at++;
    } else at = text.charCodeAt(at) === QUOTE ? readString(text, at) : readScalar(text, at);
    // After a value: close what ends here, go on behind a comma.
    for (at = skipBlank(text, at); open.length > 0 && text[at] === open.at(-1); at = skipBlank(text, at + 1))
      open.pop();
    const close = open.at(-1);
    if (close === undefined) {
      if (at < text.length) throw new Fault(at, `${shown(text, at)} after the end of the JSON`);
      return;
    }
    if (text[at] !== ",") throw new Fault(at, `${shown(text, at)} where "," or "${close}" should be`);
    at = skipBlank(text, at + 1);
    if (close === "}") at = readKey(text, at);
  }
}

function readKey(text, at) {
  if (text.charCodeAt(at) !== QUOTE) throw new Fault(at, `${shown(text, at)} where a key in double quotes should be`);
  const colon = skipBlank(text, readString(text, at));
  if (text[colon] !== ":") throw new Fault(colon, `${shown(text, colon)} where ":" should be`);
  return skipBlank(text, colon + 1);
}

function readString(text, from) {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 32) throw new Fault(at, "a line break or control character inside a string; write it as an escape");
    if (code !== BACKSLASH) continue;
    escaped.lastIndex = at;
    const length = escaped.exec(text)?.[0].length;
    if (length === undefined) throw new Fault(at, "a backslash that begins no escape of JSON");
    at += length - 1;
  }
  throw new Fault(text.length, "the end of the file inside a string");
}

function readScalar(text, at) {
  scalar.lastIndex = at;
  const length = scalar.exec(text)?.[0].length;
  if (length === undefined) throw new Fault(at, `${shown(text, at)} where a value should be`);
  return at + length;
}

function skipBlank(text, at) {
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

const shown = (text, at) =>
  at >= text.length ? "the end of the file" : JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));

function placeOf(text, fault) {
  let line = 1;
  let lineStart = 0;
  // Not by split: of 64 MiB of line breaks that is a list of as many texts.
  for (let at = text.indexOf("\n"); at !== -1 && at < fault.at; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: fault.at - lineStart + 1, reason: fault.reason };
}
