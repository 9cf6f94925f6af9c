// What a query asks of one kind: `kind:` is decided, and a field that the kind does not have is refused with its column.
import type { QueryFault } from "./fault";
import { fields, flagKinds, type QueryKind } from "./fields";
import { joined, leavesOf, type QueryLeaf, type QueryNode, type QueryTree } from "./query-tree";

/** `tree` false = nothing of this kind can match; null = everything does. */
export type KindQuery = { tree: QueryTree | false; fault?: QueryFault };

export function queryFor(kind: QueryKind, tree: QueryTree): KindQuery {
  const decided = tree === null || decide(kind, tree);
  if (decided === true) return { tree: null };
  if (decided === false) return { tree: false };
  const strange = leavesOf(decided).find((leaf) => !appliesTo(leaf).includes(kind));
  if (strange === undefined) return { tree: decided };
  const names = appliesTo(strange).map((one) => plurals[one]);
  const message = `${nameOf(strange)} does not apply to ${plurals[kind]}, only to ${names.join(", ")}; leave it out or search there`;
  return { tree: decided, fault: { column: strange.at + 1, message } };
}

const plurals: Readonly<Record<QueryKind, string>> = {
  card: "cards",
  box: "boxes",
  turn: "turns",
  run: "runs",
  agent: "agents",
  profile: "profiles",
  batch: "batches",
  pack: "packs",
};

function decide(kind: QueryKind, node: QueryNode): QueryNode | boolean {
  if (node.kind === "not") {
    const part = decide(kind, node.part);
    return typeof part === "boolean" ? !part : { kind: "not", part };
  }
  if (node.kind === "filter" && node.field === "kind") {
    const isOne = node.values.some(({ text, is_prefix }) => (is_prefix ? kind.startsWith(text) : kind === text));
    return node.op === "!=" ? !isOne : isOne;
  }
  if (node.kind !== "and" && node.kind !== "or") return node;
  const settles = node.kind === "or";
  const parts: QueryNode[] = [];
  for (const part of node.parts) {
    const decided = decide(kind, part);
    if (decided === settles) return settles;
    if (typeof decided !== "boolean") parts.push(decided);
  }
  return parts.length === 0 ? !settles : joined(node.kind, parts);
}

const all: readonly QueryKind[] = fields.kind.on;

function appliesTo(leaf: QueryLeaf): readonly QueryKind[] {
  if (leaf.kind === "word" || leaf.kind === "phrase") return all;
  return leaf.kind === "is" ? flagKinds[leaf.flag] : fields[leaf.field].on;
}

const nameOf = (leaf: QueryLeaf): string =>
  leaf.kind === "is"
    ? `"is:${leaf.flag}"`
    : leaf.kind === "word" || leaf.kind === "phrase"
      ? leaf.text
      : `"${leaf.field}"`;
