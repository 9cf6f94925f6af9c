// Writes a tree as a query: read again, it is the same tree.
import { fields } from "./fields";
import type { QueryLeaf, QueryNode, QueryTree, QueryValue } from "./query-tree";

export function printQuery(tree: QueryTree): string {
  if (tree === null) return "";
  if (tree.kind === "or") return tree.parts.map(printQuery).join(" OR ");
  if (tree.kind === "and") return tree.parts.map((part) => inGroup(part, part.kind === "or")).join(" ");
  if (tree.kind === "not") {
    const { kind } = tree.part;
    return `-${inGroup(tree.part, kind === "or" || kind === "and" || kind === "not")}`;
  }
  return printLeaf(tree);
}

const inGroup = (node: QueryNode, isGroup: boolean): string => (isGroup ? `(${printQuery(node)})` : printQuery(node));

export function printLeaf(leaf: QueryLeaf): string {
  switch (leaf.kind) {
    case "word":
      return `${leaf.text}${leaf.is_prefix ? "*" : ""}`;
    case "phrase":
      return quoted(leaf.text);
    case "has":
      return `has:${leaf.field}`;
    case "is":
      return `is:${leaf.flag}`;
    case "range":
      return `${leaf.field}:[${leaf.lo.text} TO ${leaf.hi.text}]`;
    case "filter": {
      const hasPrefixes = ["name", "one_of"].includes(fields[leaf.field].as);
      const op = leaf.op === "=" ? "" : leaf.op;
      return `${leaf.field}:${op}${leaf.values.map((value) => valueText(value, hasPrefixes)).join(",")}`;
    }
  }
}

/** In quotation marks where it would otherwise be read as something else. */
function valueText({ text, is_prefix }: QueryValue, hasPrefixes: boolean): string {
  const isPlain = /^[^\s()",[><=!][^\s()",]*$/u.test(text) && !(hasPrefixes && !is_prefix && text.endsWith("*"));
  return `${isPlain ? text : quoted(text)}${is_prefix ? "*" : ""}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
