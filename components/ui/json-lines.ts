// A JSON value as foldable lines. Only what is open is walked, so a value of 200,000 nodes costs what is shown of it.
import { cutLine, type LineSpan, type ReaderLine } from "./reader-lines";

/** The paths a person has turned over: open ones that start folded, and folded ones that start open. */
export type Turned = ReadonlySet<string>;

/** Up to this many nodes everything starts open; beyond, only the first two levels do. */
const openNodesMax = 600;

/** Ten thousand brackets in a row overflow the stack and are read by nobody. */
const depthMax = 500;

export function jsonLines(value: unknown, turned: Turned, isAllOpen: boolean): ReaderLine[] {
  const depthOpen = countNodes(value, openNodesMax) < openNodesMax ? Number.POSITIVE_INFINITY : 2;
  const walk: Walk = {
    lines: [],
    turned,
    depthOpen: isAllOpen ? Number.POSITIVE_INFINITY : depthOpen,
    isAllOpen,
    number: 0,
  };
  write(walk, value, { path: "$", indent: 0, lead: [], isLast: true });
  return walk.lines;
}

type Walk = { lines: ReaderLine[]; turned: Turned; depthOpen: number; isAllOpen: boolean; number: number };
type Place = { path: string; indent: number; lead: LineSpan[]; isLast: boolean };

function write(walk: Walk, value: unknown, place: Place): void {
  const entries = entriesOf(value);
  const end: LineSpan[] = place.isLast ? [] : [{ text: ",", tone: "quiet" }];
  if (entries === null) {
    add(walk, place.indent, [...place.lead, scalar(value), ...end]);
    return;
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) {
    add(walk, place.indent, [...place.lead, { text: `${open}${close}`, tone: "quiet" }, ...end]);
    return;
  }
  const startsOpen = place.indent < walk.depthOpen;
  const isOpen = (walk.isAllOpen || startsOpen !== walk.turned.has(place.path)) && place.indent < depthMax;
  const fold = { path: place.path, isOpen };
  if (!isOpen) {
    const spans: LineSpan[] = [
      { text: open, tone: "quiet" },
      { text: foldedHint(value, entries), tone: "quiet" },
      { text: close, tone: "quiet" },
    ];
    add(walk, place.indent, [...place.lead, ...spans, ...end], fold);
    return;
  }
  add(walk, place.indent, [...place.lead, { text: open, tone: "quiet" }], fold);
  for (const [index, [key, child]] of entries.entries()) {
    const lead: LineSpan[] = Array.isArray(value)
      ? []
      : [
          { text: JSON.stringify(key), tone: "key" },
          { text: ": ", tone: "quiet" },
        ];
    write(walk, child, {
      // Escaped as in a JSON pointer: a key with a slash would share its fold with another path.
      path: `${place.path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      indent: place.indent + 1,
      lead,
      isLast: index === entries.length - 1,
    });
  }
  add(walk, place.indent, [{ text: close, tone: "quiet" }, ...end]);
}

function add(walk: Walk, indent: number, spans: LineSpan[], fold?: ReaderLine["fold"]): void {
  walk.number += 1;
  walk.lines.push(...cutLine(walk.number, indent, spans, fold));
}

/** Enough of what is inside to choose which of a thousand rows to open. */
function foldedHint(value: unknown, entries: readonly [string, unknown][]): string {
  const isList = Array.isArray(value);
  const count = `${entries.length} ${isList ? "item" : "key"}${entries.length === 1 ? "" : "s"}`;
  const parts: string[] = [];
  let room = 72;
  for (const [key, child] of entries.slice(0, 8)) {
    if (typeof child === "object" && child !== null) continue;
    const text = JSON.stringify(child) ?? "undefined";
    const part = `${isList ? "" : `${key}: `}${text.length > 32 ? `${text.slice(0, 31)}…` : text}`;
    if (part.length > room) break;
    parts.push(part);
    room -= part.length + 2;
  }
  return parts.length === 0 ? ` ${count} ` : ` ${parts.join(", ")} … ${count} `;
}

function entriesOf(value: unknown): [string, unknown][] | null {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  if (typeof value === "object" && value !== null) return Object.entries(value);
  return null;
}

function scalar(value: unknown): LineSpan {
  if (typeof value === "string") return { text: JSON.stringify(value), tone: "string" };
  return { text: JSON.stringify(value) ?? "undefined", tone: "number" };
}

function countNodes(value: unknown, max: number): number {
  let count = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && count < max) {
    const node = rest.pop();
    count += 1;
    if (typeof node === "object" && node !== null) rest.push(...Object.values(node).slice(0, max));
  }
  return count;
}
