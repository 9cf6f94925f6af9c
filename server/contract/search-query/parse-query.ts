// Reads a search query into a tree, or says in which column it cannot be read. Grammar: docs/debugging.md.
import { FaultAt, type QueryFault } from "./fault";
import { parseFilter } from "./parse-filter";
import { joined, type QueryNode, type QueryTree } from "./query-tree";
import {
  countTerm,
  isSearchable,
  QUERY_CHARS_MAX,
  QUERY_NESTING_MAX,
  type Scan,
  skipBlanks,
  take,
  takeBare,
  takeQuoted,
  WORD_CHARS_MAX,
} from "./scan";

export type ParsedQuery = { isRead: true; tree: QueryTree } | { isRead: false; fault: QueryFault };

/** `now` is what `2h` and `yesterday` are counted from. */
export function parseQuery(text: string, { now }: { now: Date }): ParsedQuery {
  const scan: Scan = { text, at: 0, terms: 0, depth: 0, now };
  try {
    if (text.length > QUERY_CHARS_MAX) throw new FaultAt(QUERY_CHARS_MAX, `a query has at most 1,000 characters`);
    const nul = text.indexOf("\0");
    if (nul >= 0) throw new FaultAt(nul, "a character that no text can contain (NUL); leave it out");
    skipBlanks(scan);
    if (scan.at === text.length) return { isRead: true, tree: null };
    const tree = parseOr(scan);
    if (scan.at < text.length) throw new FaultAt(scan.at, 'no bracket is open here; leave out the ")"');
    return { isRead: true, tree };
  } catch (error) {
    if (!(error instanceof FaultAt)) throw error;
    return { isRead: false, fault: { column: error.at + 1, message: error.message } };
  }
}

function parseOr(scan: Scan): QueryNode {
  const parts = [parseAnd(scan)];
  while (takeOr(scan)) parts.push(parseAnd(scan));
  return joined("or", parts);
}

function parseAnd(scan: Scan): QueryNode {
  const parts: QueryNode[] = [];
  for (;;) {
    skipBlanks(scan);
    if (scan.at === scan.text.length || scan.text[scan.at] === ")" || isOr(scan)) break;
    parts.push(parseTerm(scan));
  }
  if (parts.length > 0) return joined("and", parts);
  throw new FaultAt(
    scan.at,
    isOr(scan) ? "OR needs a term before it" : "a term is missing here; add one or leave out what comes before",
  );
}

function parseTerm(scan: Scan): QueryNode {
  const at = scan.at;
  if (!take(scan, "-")) return parseUnit(scan);
  const next = scan.text[scan.at];
  if (next === undefined || /\s/u.test(next))
    throw new FaultAt(at, 'nothing follows the "-"; write it directly before a term');
  if (next === "-") throw new FaultAt(scan.at, 'one "-" is enough; leave out the other');
  return { kind: "not", part: parseUnit(scan) };
}

function parseUnit(scan: Scan): QueryNode {
  const at = scan.at;
  if (take(scan, "(")) return parseGroup(scan, at);
  if (take(scan, '"')) {
    countTerm(scan, at);
    return { kind: "phrase", at, text: searchable(takeQuoted(scan).trim(), at) };
  }
  const [, name] = /^([\p{L}_][\p{L}\p{N}_-]*):/u.exec(scan.text.slice(scan.at, scan.at + WORD_CHARS_MAX)) ?? [];
  if (name !== undefined) {
    scan.at += name.length + 1;
    if (name === "has" || name === "is") countTerm(scan, at);
    return parseFilter(scan, name, at);
  }
  countTerm(scan, at);
  return wordOf(scan, at);
}

function parseGroup(scan: Scan, at: number): QueryNode {
  scan.depth++;
  if (scan.depth > QUERY_NESTING_MAX)
    throw new FaultAt(at, `more than ${QUERY_NESTING_MAX} brackets inside each other; use fewer`);
  const inner = parseOr(scan);
  if (!take(scan, ")")) throw new FaultAt(at, 'this bracket is never closed; add ")"');
  scan.depth--;
  return inner;
}

function wordOf(scan: Scan, at: number): QueryNode {
  const word = takeBare(scan);
  if (word === "AND")
    throw new FaultAt(at, "AND is not needed, all terms must hold; leave it out, or write and for the word");
  if (word === "NOT") throw new FaultAt(at, 'write "-" before a term instead of NOT, or write not for the word');
  if (word === "OR") throw new FaultAt(at, "OR stands between two terms; write or for the word");
  const is_prefix = word.endsWith("*");
  return { kind: "word", at, text: searchable(is_prefix ? word.slice(0, -1) : word, at), is_prefix };
}

function searchable(text: string, at: number): string {
  if (text.length > WORD_CHARS_MAX)
    throw new FaultAt(at, `a word or phrase has at most ${WORD_CHARS_MAX} characters; shorten it`);
  if (!isSearchable(text))
    throw new FaultAt(at, `"${text}" has no letter or digit to search for; add one or leave it out`);
  return text;
}

const isOr = ({ text, at }: Scan): boolean => /^OR(?=[\s()"]|$)/u.test(text.slice(at, at + 3));

function takeOr(scan: Scan): boolean {
  skipBlanks(scan);
  if (!isOr(scan)) return false;
  scan.at += 2;
  return true;
}
