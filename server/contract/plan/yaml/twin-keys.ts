// Keys that are given twice: the parser's own check compares each key with all before it.
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type ParsedNode } from "yaml";
import { Fault, type YamlProblem } from "./yaml-fault";

export function twinKeys(doc: Document.Parsed<ParsedNode>, lines: LineCounter): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const walk = (node: unknown, path: string[]): void => {
    if (isAlias(node)) return;
    if (isSeq(node)) for (const [i, item] of node.items.entries()) walk(item, [...path, String(i)]);
    if (!isMap(node)) return;
    const known = new Set<string>();
    for (const { key, value } of node.items) {
      const at = (key as ParsedNode | null)?.range?.[0];
      if (key !== null && !isScalar(key)) throw new Fault("a key must be plain text", at);
      const name = String(key?.value);
      if (known.has(name)) {
        const { line, col } = lines.linePos(at ?? 0);
        const message = `${JSON.stringify(name.slice(0, 80))} is given twice; remove one`;
        problems.push({ line, column: col, path: [...path, name].join("."), message });
      }
      known.add(name);
      walk(value, [...path, name]);
    }
  };
  walk(doc.contents, []);
  return problems;
}
