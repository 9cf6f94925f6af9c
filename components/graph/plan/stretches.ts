// A long conversation, read out of a log, as stretches: the first turn of each stands for those that follow it. So 2,000
// messages are some fifty wagons, in their order and with their words, instead of a strip that no screen holds.
import type { TurnFrame } from "@/server/contract/frame";
import { type Folds, isFolded } from "./folds";
import { callerOf, type Link } from "./yard-turns";

/** Up to here every message is a wagon: so many still fit a screen. */
const STRETCH_ABOVE = 150;
/** About so many stretches, whatever the length. */
const STRETCHES = 48;
const ROUND = 10;

export type Stretch = {
  /** The turn that stands for it. */
  head: string;
  /** Those that follow, without the head. */
  members: readonly string[];
  /** The turn that stands for the stretch before: what the head hangs on when that one is folded. */
  before: string | undefined;
};

/** By head. `size`: how many turns make one, once it is settled: a conversation that grows is not divided anew. */
export function stretchesOf(
  turns: readonly TurnFrame[],
  links: ReadonlyMap<string, Link>,
  size: number,
): ReadonlyMap<string, Stretch> {
  const stretches = new Map<string, Stretch>();
  if (size === 0) return stretches;
  for (const line of conversationsOf(turns, links)) {
    if (line.length <= size) continue;
    for (let from = 0; from < line.length; from += size) {
      const [head, ...members] = line.slice(from, from + size);
      if (head === undefined || members.length === 0) continue;
      stretches.set(head, { head, members, before: from === 0 ? undefined : line[from - size] });
    }
  }
  return stretches;
}

/** How many turns the longest conversation has. */
export const longestOf = (turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>): number =>
  Math.max(0, ...conversationsOf(turns, links).map((line) => line.length));

/** How many turns make a stretch, where the longest conversation has so many; 0 = it needs none. */
export const stretchSize = (longest: number): number =>
  longest <= STRETCH_ABOVE ? 0 : Math.ceil(longest / STRETCHES / ROUND) * ROUND;

export type FoldedStretches = {
  /** By turn: the head of the folded stretch that holds it. */
  heads: ReadonlyMap<string, string>;
  /** By head: what it hangs on instead of a turn that is not drawn. */
  parents: ReadonlyMap<string, string>;
};

export function foldedStretches(stretches: ReadonlyMap<string, Stretch>, folds: Folds): FoldedStretches {
  const heads = new Map<string, string>();
  const parents = new Map<string, string>();
  const isOne = (head: string) => isFolded(folds, stretchId(head), true);
  for (const { head, members, before } of stretches.values()) {
    if (isOne(head)) for (const id of members) heads.set(id, head);
    if (before !== undefined && isOne(before)) parents.set(head, before);
  }
  return { heads, parents };
}

/** What the address calls it: the head alone would fold all that hangs on the turn. */
export const stretchId = (head: string): string => `${head}~`;

/** Turns that follow each other without having called each other, each line as far as it goes. */
function conversationsOf(turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>): string[][] {
  const lineOf = new Map<string, string[]>();
  const lines: string[][] = [];
  for (const turn of turns) {
    const id = turn.agent_turn_id;
    if (!links.get(id)?.edge?.is_inferred) continue;
    const caller = callerOf(turn, links) ?? "";
    const above = lineOf.get(caller);
    const line = above?.at(-1) === caller ? above : [];
    if (line.length === 0) lines.push(line);
    line.push(id);
    lineOf.set(id, line);
  }
  return lines;
}
