// The source of a YAML value after a change. Lists and maps in block form are taken apart into their entries, each with the
// comments above it; entries that did not change are copied as they stand.
import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from "yaml";
import { isRecord } from "../../is-record";
import { sameJson } from "../../same-json";
import { matchEntries } from "./match-entries";
import { blockLines, flowText, rankOf } from "./print-yaml";

type Options = { withIds: boolean; eol: string };
/** Complete lines above it, and its own from where it starts to the end of its last line. */
type Entry = { lead: string; body: string };
type Fields = Record<string, unknown>;

export function editedSource(text: string, root: ParsedNode, was: unknown, now: unknown, options: Options): string {
  const end = lineEnd(root);
  return text.slice(0, root.range[0]) + sourceOf(root, was, now) + text.slice(end);

  /** From the start of the value to the end of its last line. */
  function sourceOf(node: ParsedNode, was: unknown, now: unknown): string {
    if (isMap(node) && !node.flow && isRecord(now)) return joined(mapEntries(node, recordOf(was), now), column(node));
    if (isSeq(node) && !node.flow && Array.isArray(now) && now.length > 0)
      return joined(listEntries(node, Array.isArray(was) ? was : [], now), column(node));
    return inLine(node, was, now) + text.slice(node.range[1], lineEnd(node));
  }

  function mapEntries(map: YAMLMap, was: Fields, now: Fields): Entry[] {
    const entries: (Entry & { key: string })[] = [];
    let end = map.range?.[0] ?? 0;
    for (const { key, value } of map.items as { key: ParsedNode; value: ParsedNode | null }[]) {
      const name = String(isScalar(key) ? key.value : "");
      const stop = lineEnd(value?.range ? value : key);
      const lead = leadOf(end, key.range[0]);
      end = stop;
      if (sameJson(was[name], now[name])) entries.push({ key: name, lead, body: text.slice(key.range[0], stop) });
      else if (now[name] !== undefined)
        entries.push({ key: name, lead, body: pairSource(key, value, name, was[name], now[name], column(map)) });
    }
    for (const name of Object.keys(now)) {
      if (now[name] === undefined || map.has(name)) continue;
      if (sameJson(was[name], now[name]) && !(name === "id" && options.withIds)) continue;
      const after = entries.findLastIndex(({ key }) => rankOf(key) <= rankOf(name));
      const body = printed({ [name]: now[name] }, column(map));
      entries.splice(after + 1, 0, { key: name, lead: "", body });
    }
    return entries;
  }

  function pairSource(key: ParsedNode, value: ParsedNode | null, name: string, was: unknown, now: unknown, at: number) {
    const start = key.range[0];
    if (value?.range && staysInForm(value, now)) return text.slice(start, value.range[0]) + sourceOf(value, was, now);
    const end = lineEnd(value?.range ? value : key);
    const note = isBlockText(value)
      ? ""
      : (/[ \t](#[^\r\n]*)/.exec(text.slice(value?.range?.[1] ?? start, end))?.[1] ?? "");
    const lines = printed({ [name]: now }, at);
    // What stood behind the old value stands above the new one.
    return note === "" ? lines : `${note}${options.eol}${" ".repeat(at)}${lines}`;
  }

  function listEntries(list: YAMLSeq, was: unknown[], now: unknown[]): Entry[] {
    const at = column(list);
    let end = list.range?.[0] ?? 0;
    const old = (list.items as ParsedNode[]).map((node) => {
      const dash = text.lastIndexOf("-", node.range[0] - 1);
      const lead = leadOf(end, dash);
      end = lineEnd(node);
      return { node, lead, dash, body: text.slice(dash, end) };
    });
    const matches = matchEntries(was, now);
    return now.map((value, i): Entry => {
      const from = matches[i] ?? -1;
      const entry = old[from];
      if (!entry) return { lead: "", body: printed([value], at) };
      const { node, lead, dash, body } = entry;
      const isSame = sameJson(was[from], value) && !(options.withIds && isMap(node) && !node.has("id"));
      if (isSame) return { lead, body };
      if (staysInForm(node, value))
        return { lead, body: text.slice(dash, node.range[0]) + sourceOf(node, was[from], value) };
      return { lead, body: printed([value], at) };
    });
  }

  /** A value inside a line: text, or a list or map in brackets. Its own source only. */
  function inLine(node: ParsedNode, was: unknown, now: unknown): string {
    const own = text.slice(node.range[0], node.range[1]);
    if (sameJson(was, now) && !options.withIds) return own;
    if (isMap(node) && isRecord(now)) {
      const before = recordOf(was);
      const pairs = node.items as unknown as { key: ParsedNode; value: ParsedNode | null }[];
      const kept = pairs.flatMap(({ key, value }) => {
        const name = String(isScalar(key) ? key.value : "");
        const start = key.range[0];
        if (sameJson(before[name], now[name])) return [text.slice(start, value?.range?.[1] ?? key.range[1])];
        if (now[name] === undefined) return [];
        return value?.range
          ? [text.slice(start, value.range[0]) + inLine(value, before[name], now[name])]
          : [`${text.slice(start, key.range[1])}: ${flowText(now[name])}`];
      });
      const added = Object.keys(now).filter(
        (name) =>
          now[name] !== undefined &&
          !node.has(name) &&
          (!sameJson(before[name], now[name]) || (name === "id" && options.withIds)),
      );
      return `{${[...kept, ...added.map((name) => `${flowText(name)}: ${flowText(now[name])}`)].join(", ")}}`;
    }
    if (isSeq(node) && Array.isArray(now)) {
      const before = Array.isArray(was) ? was : [];
      const items = node.items as ParsedNode[];
      const matches = matchEntries(before, now);
      const sources = now.map((value, i) => {
        const item = items[matches[i] ?? -1];
        return item ? inLine(item, before[matches[i] ?? -1], value) : flowText(value);
      });
      return `[${sources.join(", ")}]`;
    }
    return flowText(now);
  }

  /** Whether the new value can be written where and as the old one is. */
  function staysInForm(node: ParsedNode, now: unknown): boolean {
    if (isMap(node)) return isRecord(now) && (node.flow === true || Object.keys(now).length > 0);
    if (isSeq(node)) return Array.isArray(now) && (node.flow === true || now.length > 0);
    if (isBlockText(node)) return false;
    return !isCollectionValue(now) && !(typeof now === "string" && now.includes("\n"));
  }

  function joined(entries: Entry[], at: number): string {
    const indent = " ".repeat(at);
    return entries
      .map(({ lead, body }) => `${lead}${indent}${body}`)
      .join("")
      .trimStart();
  }

  /** Without the indent of its first line. */
  function printed(value: Fields | unknown[], at: number): string {
    return blockLines(value, at).trimStart().replaceAll("\n", options.eol);
  }

  /** Comments and empty lines between two entries. */
  function leadOf(end: number, start: number): string {
    return start <= end ? "" : text.slice(end, text.lastIndexOf("\n", start - 1) + 1);
  }

  function lineEnd(node: { range?: [number, number, number] | null }): number {
    let end = node.range?.[1] ?? text.length;
    while (end > (node.range?.[0] ?? 0) && /\s/.test(text[end - 1] ?? "x")) end--;
    const newline = text.indexOf("\n", end);
    return newline < 0 ? text.length : newline + 1;
  }

  function column(node: { range?: [number, number, number] | null }): number {
    const start = node.range?.[0] ?? 0;
    return start - (text.lastIndexOf("\n", start - 1) + 1);
  }
}

const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const isCollectionValue = (value: unknown): boolean => typeof value === "object" && value !== null;
const isBlockText = (node: unknown): boolean =>
  isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
