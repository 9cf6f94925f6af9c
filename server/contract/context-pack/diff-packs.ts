// What differs between two packs, item by item: a document that moved up in a list is not a removed and an added one.
import { isRecord } from "../is-record";
import { sameJson } from "../same-json";
import type { ContextPack } from "./pack";

export type PackChange = {
  kind: "added" | "removed" | "changed" | "reordered";
  /** A JSON pointer: into the newer pack, for what was removed into the older one. */
  pointer: string;
  /** Path, reference or id of the item; the name of the field otherwise. */
  key: string;
  before?: unknown;
  after?: unknown;
};

/** What names an item of a list. */
const keys: Record<string, string> = {
  docRefs: "path",
  relevantFiles: "path",
  inputs: "payloadId",
  artifacts: "ref",
  decisions: "id",
};

export function diffPacks(before: ContextPack, after: ContextPack): PackChange[] {
  const [old, young] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(young)])].sort();
  return fields.flatMap((field) => diffField(field, old[field], young[field]));
}

function diffField(field: string, before: unknown, after: unknown): PackChange[] {
  const pointer = `/${pointerPart(field)}`;
  if (Array.isArray(before ?? []) && Array.isArray(after ?? []) && (before ?? after) !== undefined)
    return diffLists(field, (before ?? []) as unknown[], (after ?? []) as unknown[]);
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => diffValue(`${pointer}/${pointerPart(name)}`, name, before[name], after[name]));
  }
  return diffValue(pointer, field, before, after);
}

function diffValue(pointer: string, key: string, before: unknown, after: unknown): PackChange[] {
  if (sameJson(before, after)) return [];
  if (before === undefined) return [{ kind: "added", pointer, key, after }];
  if (after === undefined) return [{ kind: "removed", pointer, key, before }];
  return [{ kind: "changed", pointer, key, before, after }];
}

function diffLists(field: string, before: unknown[], after: unknown[]): PackChange[] {
  const [old, young] = [placed(field, before), placed(field, after)];
  const changes: PackChange[] = [];
  for (const [id, { at, key, item }] of young)
    changes.push(...diffValue(`/${field}/${at}`, key, old.get(id)?.item, item));
  for (const [id, { at, key, item }] of old)
    if (!young.has(id)) changes.push({ kind: "removed", pointer: `/${field}/${at}`, key, before: item });
  const [left, right] = [[...old.keys()].filter((id) => young.has(id)), [...young.keys()].filter((id) => old.has(id))];
  if (left.some((id, i) => id !== right[i])) changes.push({ kind: "reordered", pointer: `/${field}`, key: field });
  return changes;
}

type Placed = Map<string, { at: number; key: string; item: unknown }>;

/** Items that share a name are told apart by which of them it is. */
function placed(field: string, list: unknown[]): Placed {
  const seen = new Map<string, number>();
  const map: Placed = new Map();
  for (const [at, item] of list.entries()) {
    const name = keys[field];
    const key = String((isRecord(item) && name !== undefined ? item[name] : item) ?? "");
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    map.set(`${nth} ${key}`, { at, key, item });
  }
  return map;
}

/** One name inside a JSON pointer. */
export const pointerPart = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
