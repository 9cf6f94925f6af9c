// What a launch is given lives in the URL, so that a link opens the dialog as it was:
// ?launch=1&kind=fork&target=new:Associate_Search&boxes=<id>,<id>&cards=<id>
// Boxes that come before all cards are written so; any other order is written as load=card:<id>,box:<id>.
import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import type { TargetStrategy } from "@/server/contract/turn";
import { isBoxesFirst, type LoadItem, split } from "./load-item";

export type LaunchTarget = { target_strategy: TargetStrategy; target_ref: string };

export const launchKinds = ["delegate", "fork", "ask"] as const;
export type LaunchKind = (typeof launchKinds)[number];

export const parseAsTarget = createParser<LaunchTarget>({
  parse: parseTarget,
  serialize: (target) => `${target.target_strategy}:${target.target_ref}`,
  eq: (a, b) => a.target_strategy === b.target_strategy && a.target_ref === b.target_ref,
});

const parseAsLoadItem = createParser<LoadItem>({
  parse: parseLoadItem,
  serialize: ({ kind, id }) => `${kind}:${id}`,
});

export const loadParams = {
  boxes: parseAsArrayOf(parseAsString).withDefault([]),
  cards: parseAsArrayOf(parseAsString).withDefault([]),
  load: parseAsArrayOf(parseAsLoadItem).withDefault([]),
};

export const launchParams = {
  /** Open while it is there, whatever it says. */
  launch: parseAsString,
  kind: parseAsStringLiteral(launchKinds).withDefault("delegate"),
  target: parseAsTarget,
  /** The root turn of the run that it is added to; absent = a run of its own. */
  into: parseAsString,
  /** The name of a context pack, artifact://context/... Not `pack`, which opens the packing dialog. */
  context_pack: parseAsString,
  ...loadParams,
};

export type LoadInUrl = { boxes: readonly string[]; cards: readonly string[]; load: readonly LoadItem[] };

/** What is named twice counts where it is named first, as in the kernel. */
export function loadFromUrl({ boxes, cards, load }: LoadInUrl): readonly LoadItem[] {
  const all: LoadItem[] = [
    ...boxes.map((id) => ({ kind: "box" as const, id })),
    ...cards.map((id) => ({ kind: "card" as const, id })),
    ...load,
  ];
  return [...new Map(all.map((item) => [`${item.kind}:${item.id}`, item])).values()];
}

/** null takes a parameter out of the URL. */
export function loadToUrl(items: readonly LoadItem[]) {
  if (!isBoxesFirst(items)) return { boxes: null, cards: null, load: [...items] };
  const { boxes, cards } = split(items);
  return { boxes: boxes.length === 0 ? null : boxes, cards: cards.length === 0 ? null : cards, load: null };
}

/** "new:Planner", "reuse:<agent id>", "clone:<agent id>"; a bare name is a profile. */
export function parseTarget(text: string): LaunchTarget | null {
  const at = text.indexOf(":");
  const word = at === -1 ? "" : text.slice(0, at);
  const strategy = strategies.find((candidate) => candidate === word);
  const target_ref = (strategy === undefined ? text : text.slice(at + 1)).trim();
  return target_ref === "" ? null : { target_strategy: strategy ?? "new", target_ref };
}

const strategies: readonly TargetStrategy[] = ["new", "reuse", "clone"];

/** "box:<id>" or "card:<id>". */
export function parseLoadItem(text: string): LoadItem | null {
  const [, kind, id] = /^(box|card):(.+)$/.exec(text) ?? [];
  return id !== undefined && (kind === "box" || kind === "card") ? { kind, id } : null;
}
