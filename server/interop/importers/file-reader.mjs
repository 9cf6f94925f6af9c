// Reads a JSON file in a thread of its own (open-file.ts) and gives back only what an import asks for, in small pieces:
// JSON.parse of 64 MiB held the web process for a second, and a million keys for several. Plain JavaScript, because a
// thread starts from a file and the built server has no TypeScript; it is found under the same path there.
import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { findJsonFault } from "./json-fault.mjs";

/** What walks it here recurses. */
const DEPTH_MAX = 200;
const IGNORED_MAX = 50;
const KEY_CHARS_MAX = 200;
/** Of one piece: receiving it is a few milliseconds of the other side. */
const PIECE_ITEMS_MAX = 500;
const PIECE_CHARS_MAX = 524_288;
const HASH_CHARS = 65_536;

class Fault extends Error {
  constructor(message, code = "bad_request", detail = undefined) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

let items = [];
let wanted;
let at = 0;

parentPort.on("message", (question) => {
  try {
    parentPort.postMessage(question.bytes ? openFile(question) : { items: nextItems() });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    parentPort.postMessage({ fault: { code: error.code, message: error.message, detail: error.detail } });
  }
});

/** `wants` names what is asked for: fields of the file, its list, the fields of an item, and a map of texts. */
function openFile({ bytes, isEnvelope, wants }) {
  wanted = wants;
  refuseHeavy(bytes, wants.valuesMax);
  const file = parse(decode(bytes));
  if (!isEnvelope) return { file: outline(file) };
  if (!isObject(file)) return { envelope: reduced(file, "body") };
  // Its own fields are few; one too many is enough to refuse it.
  const fields = Object.keys(file).slice(0, 8);
  const envelope = Object.fromEntries(
    fields.map((key) => [key.slice(0, KEY_CHARS_MAX), key === "data" ? null : reduced(file[key], "body")]),
  );
  return { envelope, file: outline(file.data) };
}

function outline(file) {
  if (!isObject(file)) return { head: reduced(file, "the file"), digest: "", ignored_keys: [], count: 0 };
  refuseBadText(file, "");
  const head = {};
  const left = { bytes: wanted.headBytesMax };
  for (const key of wanted.head) {
    if (!Object.hasOwn(file, key)) continue;
    const value = file[key];
    head[key] = key === wanted.map && isObject(value) ? texts(value, key, left) : spent(reduced(value, key), left);
  }
  const list = file[wanted.list];
  items = Array.isArray(list) ? list : [];
  return { head, digest: digestOf(file), ignored_keys: ignoredOf(file), count: items.length };
}

/** Lists and objects as empty ones of their kind: enough for saying that they should not be there. */
function reduced(value, path) {
  if (typeof value === "string") {
    const bytes = Buffer.byteLength(value);
    if (bytes > wanted.textBytesMax)
      throw new Fault(
        `${path} has ${bytes} bytes; a card holds at most ${wanted.textBytesMax}. Shorten it or split the message`,
        "payload_too_large",
      );
    return value;
  }
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

function texts(map, key, left) {
  const entries = Object.entries(map);
  if (entries.length > wanted.mapMax)
    throw new Fault(
      `${key} has ${entries.length} entries; at most ${wanted.mapMax}. Split the file`,
      "payload_too_large",
    );
  return Object.fromEntries(
    entries.map(([name, value]) => [
      spent(reduced(name, `${key} (a key)`), left),
      spent(reduced(value, `${key}.${name.slice(0, KEY_CHARS_MAX)}`), left),
    ]),
  );
}

function spent(value, left) {
  if (typeof value === "string") left.bytes -= Buffer.byteLength(value);
  if (left.bytes >= 0) return value;
  throw new Fault(
    `what stands beside ${wanted.list} has over ${wanted.headBytesMax} bytes, the limit there; shorten it`,
    "payload_too_large",
  );
}

function nextItems() {
  const piece = [];
  let chars = 0;
  for (; at < items.length && piece.length < PIECE_ITEMS_MAX && chars < PIECE_CHARS_MAX; at++) {
    const item = items[at];
    const path = `${wanted.list}.${at}`;
    if (!isObject(item)) {
      piece.push(reduced(item, path));
      continue;
    }
    const kept = {};
    for (const key of wanted.item) {
      if (!Object.hasOwn(item, key)) continue;
      kept[key] = reduced(item[key], `${path}.${key}`);
      if (typeof kept[key] === "string") chars += kept[key].length;
    }
    piece.push(kept);
    // The other side holds it now.
    items[at] = null;
  }
  return piece;
}

/** What the import leaves out is said, not dropped in silence. */
function ignoredOf(file) {
  const known = new Set([...wanted.head, wanted.list]);
  const fields = new Set(wanted.item);
  const ignored = new Set();
  for (const key of Object.keys(file)) if (!known.has(key)) ignored.add(key);
  for (const item of items) {
    if (!isObject(item)) continue;
    for (const key of Object.keys(item)) if (!fields.has(key)) ignored.add(`${wanted.list}.*.${key}`);
  }
  return [...ignored]
    .sort()
    .slice(0, IGNORED_MAX)
    .map((key) => key.slice(0, KEY_CHARS_MAX));
}

/** sha256 in hex over the JSON with sorted keys and no blanks: the same however it was indented and in whatever order. */
function digestOf(value) {
  const hash = createHash("sha256");
  let text = "";
  const put = (part) => {
    text += part;
    if (text.length < HASH_CHARS) return;
    hash.update(text);
    text = "";
  };
  const walk = (one) => {
    if (Array.isArray(one)) {
      put("[");
      for (let i = 0; i < one.length; i++) {
        if (i > 0) put(",");
        walk(one[i]);
      }
      put("]");
    } else if (isObject(one)) {
      let comma = "";
      put("{");
      for (const key of Object.keys(one).sort()) {
        put(`${comma}${JSON.stringify(key)}:`);
        walk(one[key]);
        comma = ",";
      }
      put("}");
    } else put(JSON.stringify(one));
  };
  walk(value);
  return hash.update(text).digest("hex");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what it looks for
const BAD = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** NUL and half a surrogate pair: no database holds them. */
function refuseBadText(value, path) {
  if (typeof value === "string") {
    if (BAD.test(value)) throw new Fault(`${path} holds a NUL or half a surrogate pair; remove it`);
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) refuseBadText(value[i], `${path}.${i}`);
  } else if (isObject(value))
    for (const key of Object.keys(value)) {
      if (BAD.test(key))
        throw new Fault(
          `${path === "" ? "a key of the file" : `${path} (a key)`} holds a NUL or half a surrogate pair; remove it`,
        );
      refuseBadText(value[key], path === "" ? key : `${path}.${key.slice(0, KEY_CHARS_MAX)}`);
    }
}

/** Told by brackets and commas, before anything is built from them. */
function refuseHeavy(bytes, valuesMax) {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isText) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x2c) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      if (++depth > DEPTH_MAX)
        throw new Fault(`the file is nested deeper than ${DEPTH_MAX} levels; flatten it or send it as text`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  if (values > valuesMax)
    throw new Fault(`the file has more than ${valuesMax} values, the limit here; split it`, "payload_too_large");
}

function parse(source) {
  try {
    return JSON.parse(source);
  } catch {
    const { line, column, reason } = findJsonFault(source);
    throw new Fault(`the file is not JSON: line ${line}, column ${column}: ${reason}`, "bad_request", { line, column });
  }
}

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Fault(`the file is not UTF-8 text: byte ${firstBadByte(bytes)} belongs to no character`);
  }
}

/** Offset of the character that breaks off or is none: the longest prefix that still decodes ends there. */
function firstBadByte(bytes) {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
