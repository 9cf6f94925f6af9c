// Values as YAML, as a person would write them: short lists and objects in one line, long texts as blocks.
import { Document, isCollection, isMap, isPair, isScalar, isSeq, type Node } from "yaml";
import { isRecord } from "../../is-record";

const LINE_MAX = 100;
const STYLE = { lineWidth: 0, flowCollectionPadding: false } as const;
/** The rest stands in the order given. */
const FIRST = ["switchyard", "name", "id", "kind", "title", "description", "inputs", "target", "instruction", "load"];
const LAST = ["limits", "run_by", "nodes", "gate", "tasks", "after", "hold", "disabled", "result", "layout"];

export const rankOf = (key: string): number => {
  const last = LAST.indexOf(key);
  const first = FIRST.indexOf(key);
  return last >= 0 ? 100 + last : first >= 0 ? first : 50;
};

/** Lines that end in a newline: a map or list in block form. */
export function blockLines(value: Record<string, unknown> | unknown[], indent: number): string {
  const doc = new Document(ordered(value));
  spread(doc.contents, false);
  const text = doc.toString(STYLE);
  return indent === 0 ? text : text.replace(/^(?=.)/gm, " ".repeat(indent));
}

/** In one line, for inside [ ] and { }. */
export function flowText(value: unknown): string {
  const doc = new Document([ordered(value)]);
  if (isCollection(doc.contents)) doc.contents.flow = true;
  return doc.toString(STYLE).trimEnd().slice(1, -1);
}

/** Without what is undefined, fields in the order in which they are read. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([, member]) => member !== undefined);
  fields.sort(([a], [b]) => rankOf(a) - rankOf(b));
  return Object.fromEntries(fields.map(([key, member]) => [key, ordered(member)]));
}

/** Marks what fits in a line. The plan, its nodes and their tasks always have lines of their own. */
function spread(node: unknown, mayFlow: boolean): void {
  if (isPair(node)) spread(node.value, !(isScalar(node.key) && OPEN.has(String(node.key.value))));
  if (!isCollection(node)) return;
  const isOpen = !mayFlow || (isMap(node) && node.has("id"));
  if (!isOpen && widthOf(node) <= LINE_MAX) node.flow = true;
  else for (const item of node.items) spread(item, isSeq(node) ? !isMap(item) || !item.has("id") : true);
}

const OPEN: ReadonlySet<string> = new Set(["nodes", "tasks", "layout"]);

/** Of a text with lines of its own: too wide for any line. */
function widthOf(node: unknown): number {
  if (isPair(node)) return widthOf(node.key) + 2 + widthOf(node.value);
  if (isCollection(node)) return 2 + (node.items as Node[]).reduce((sum: number, item) => sum + widthOf(item) + 2, 0);
  const text = isScalar(node) ? String(node.value) : "";
  return text.includes("\n") ? LINE_MAX + 1 : text.length;
}
