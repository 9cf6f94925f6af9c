// Reads YAML in a thread of its own (read-yaml.ts): a small text can be a great deal of work, and the thread that answers
// everybody else must not do it. A file of plain JavaScript, because a thread starts from a file and the built server has no
// TypeScript; it is found under the same path there.
import { parentPort } from "node:worker_threads";
import { Composer, isMap, isNode, isPair, isScalar, isSeq, Lexer, LineCounter, Parser } from "yaml";

const DEPTH_MAX = 64;
/** A level is one or two of its entries; the document and a value at the end are two more. */
const STACK_MAX = 2 * DEPTH_MAX + 2;
const ALIASES_MAX = 100;
/** Anchors and aliases: each alias is looked for among all of them. */
const MARKS_MAX = 2_000;
/** Lines such as `%FOO`, which mean nothing here. */
const WARNINGS_MAX = 20;

class Fault extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

parentPort.on("message", ({ id, text, path, limits }) => {
  const lines = new LineCounter();
  try {
    const answer =
      path === undefined ? { value: readValue(text, lines, limits) } : { line: lineOf(text, path, lines, limits) };
    parentPort.postMessage({ id, ...answer });
  } catch (error) {
    const place = error.at === undefined ? undefined : lines.linePos(error.at);
    // Whatever else is thrown comes of the text: an alias of nothing, a nesting that the stack cannot hold.
    const message = error instanceof RangeError ? tooDeep : error.message;
    parentPort.postMessage({ id, fault: { message, line: place?.line, column: place?.col } });
  }
});

const tooDeep = `it is nested deeper than ${DEPTH_MAX} levels; flatten it`;

function readValue(text, lines, { charsMax, valuesMax, tokensMax }) {
  refuseHeavy(text, tokensMax);
  const doc = compose(text, lines);
  refuseTwins(doc.contents, 0);
  const value = plainOf(doc);
  weigh(value, 0, { values: valuesMax, valuesMax, chars: charsMax });
  return value;
}

/**
 * What the package's parseDocument does, but it ends with the first fault: 400 kB of bad escapes are as many errors, each
 * with a stack, and took the reader the whole of its time while other projects waited for it.
 */
function compose(text, lines) {
  // Always YAML 1.2: under `%YAML 1.1` a bare `on`, `y` or `no` would be true or false.
  // Its own check of keys compares each with all before it: 60,000 of them never came to an end.
  const composer = new Composer({ schema: "core", uniqueKeys: false, logLevel: "error" });
  let warnings = 0;
  let fault;
  composer.onError = (source, code, message, isWarning) => {
    // A program of another kind fills it in (`!env HOME`, `!include a.txt`): its argument is not the value that was meant.
    if (isWarning && code !== "TAG_RESOLVE_FAILED" && ++warnings <= WARNINGS_MAX) return;
    // The first one: the composer catches it on its way and tells of it once more, at the place of what it stands in.
    fault ??= new Fault(wordsOf({ message }), placeOf(source));
    throw fault;
  };
  let doc;
  for (const next of composer.compose(refuseFaults(new Parser(lines.addNewLine).parse(text)), true, text.length)) {
    if (doc) throw new Fault("it has multiple documents; send one", next.range[0]);
    doc = next;
  }
  const [error] = doc.errors;
  if (error) throw new Fault(wordsOf(error), error.pos[0]);
  return doc;
}

function* refuseFaults(tokens) {
  for (const token of tokens) {
    if (token.type === "error") throw new Fault(wordsOf(token), token.offset);
    yield token;
  }
}

const placeOf = (source) => (typeof source === "number" ? source : Array.isArray(source) ? source[0] : source.offset);

function wordsOf({ message }) {
  if (message.startsWith("Maximum call stack")) return tooDeep;
  const [, tag] = /^Unresolved tag: (\S+)/.exec(message) ?? [];
  if (tag) return `the tag ${tag.slice(0, 80)} is not known; write the value itself`;
  return message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, "");
}

function plainOf(doc) {
  try {
    return doc.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    if (error instanceof ReferenceError && error.message.startsWith("Excessive alias count"))
      throw new Fault(`its aliases (*name) stand for more than ${ALIASES_MAX} values; write them out`);
    throw error;
  }
}

/**
 * Length and depth, before anything is built (about seven tokens make one line of `key: value`): this parser of tokens has a stack of its own and no recursion. What composes
 * values recurses, and where the stack ends in the middle of compiling an expression V8 ends the whole process, thread or no
 * thread: a line of "- - - -" did that.
 */
function refuseHeavy(text, tokensMax) {
  const parser = new Parser();
  let tokens = 0;
  let marks = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > tokensMax) throw new Fault(`it has more than ${tokensMax} words and signs; make it smaller`);
    if ((token[0] === "&" || token[0] === "*") && ++marks > MARKS_MAX)
      throw new Fault(`it has more than ${MARKS_MAX} anchors (&name) and aliases (*name); write values out`);
    for (const _part of parser.next(token));
    if (parser.stack.length > STACK_MAX) throw new Fault(tooDeep);
  }
}

/** A key given twice is refused with its place; one that is no plain value could not be a key in JSON. */
function refuseTwins(node, depth) {
  if (depth > DEPTH_MAX) throw new Fault(tooDeep, node?.range?.[0]);
  if (isSeq(node)) for (const item of node.items) refuseTwins(isPair(item) ? item.value : item, depth + 1);
  if (!isMap(node)) return;
  const known = new Set();
  for (const { key, value } of node.items) {
    if (key !== null && !isScalar(key)) throw new Fault("a key must be plain text", key.range?.[0]);
    const name = String(isScalar(key) ? key.value : key);
    if (known.has(name))
      throw new Fault(`the key ${JSON.stringify(name.slice(0, 80))} is given twice`, key?.range?.[0]);
    known.add(name);
    refuseTwins(value, depth + 1);
  }
}

/** After aliases: each use counts, since each is written out when the value is stored. */
function weigh(value, depth, left) {
  if (depth > DEPTH_MAX) throw new Fault(tooDeep);
  if (--left.values < 0) throw new Fault(`it has more than ${left.valuesMax} values; make it smaller`);
  if (typeof value === "string") spend(value.length, left);
  else if (typeof value === "number" && !Number.isFinite(value)) throw new Fault(`${value} is no number JSON can hold`);
  else if (typeof value === "bigint") throw new Fault(`${value} is a number too large to be kept as it is`);
  else if (Array.isArray(value)) for (const item of value) weigh(item, depth + 1, left);
  else if (value !== null && typeof value === "object") {
    if (Object.getPrototypeOf(value) !== Object.prototype)
      throw new Fault("a tag (!!set, !!binary) makes no plain value");
    for (const key of Object.keys(value)) {
      spend(key.length, left);
      weigh(value[key], depth + 1, left);
    }
  }
}

function spend(chars, left) {
  left.chars -= chars;
  if (left.chars < 0) throw new Fault("its aliases make it too large; write less");
}

/** Where the value at `path` is written, or the nearest one above it; undefined where none is. */
function lineOf(text, path, lines, { tokensMax }) {
  refuseHeavy(text, tokensMax);
  const doc = compose(text, lines);
  for (const keys = path.split("."); keys.length > 0; keys.pop()) {
    const at = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const node = doc.getIn(at, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
