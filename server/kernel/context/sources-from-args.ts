// Which boxes and cards the arguments of a hand-over name, in the order they are packed: those named as boxes, those named as
// cards, then the ordered lists. What is named twice counts where it is named first.
import { KernelError } from "@/server/contract/errors";
import { LoadEntry } from "@/server/contract/handed";
import type { Handover } from "@/server/contract/pack";
import type { Source } from "./plan-inheritance";

type Args = Record<string, unknown>;
type Named = Pick<
  Handover["context_packing_config"]["inherit_context"],
  "include_boxes_from_args" | "include_cards_from_args" | "include_from_args"
>;

/** bad_request names the place. */
export function sourcesFromArgs(args: Args, named: Named): Source[] {
  const boxes = idsFromArgs(args, named.include_boxes_from_args);
  const cards = idsFromArgs(args, named.include_cards_from_args);
  const sources = new Map<string, Source>();
  const add = (source: Source) => {
    const key = "box_id" in source ? `box ${source.box_id}` : `card ${source.card_id}`;
    if (!sources.has(key)) sources.set(key, source);
  };
  for (const box_id of boxes) add({ box_id });
  for (const card_id of cards) add({ card_id });
  for (const name of named.include_from_args) for (const entry of entriesOf(args, name)) add(entry);
  return [...sources.values()];
}

const argOf = (args: Args, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined);

/** Ids under the named arguments, in the order of the recipe's list. */
function idsFromArgs(args: Args, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = argOf(args, name);
    if (value === undefined) return [];
    return Array.isArray(value) ? value.map((item, i) => idOf(item, `${name}.${i}`)) : [idOf(value, name)];
  });
}

// `true` passes for an integer in looser languages and became the box "True" there.
function idOf(value: unknown, path: string): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  throw refused(path, `must be an id or a list of ids; it is ${kindOf(value)}`);
}

function entriesOf(args: Args, name: string): Source[] {
  const value = argOf(args, name);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw refused(name, `must be a list of {box_id} or {card_id}; it is ${kindOf(value)}`);
  return value.map((item, i) => {
    const entry = LoadEntry.safeParse(item);
    if (entry.success) return entry.data;
    throw refused(`${name}.${i}`, "must be exactly one of {box_id} or {card_id}, with an id");
  });
}

const refused = (path: string, what: string) => new KernelError("bad_request", `arguments.${path} ${what}`, { path });

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : value === "" ? "empty" : typeof value;
