// The callees of two turns that are paired: by profile, way of calling and place among those, and where that leaves some over, by the
// words of their instructions. Pure.
import { pairInSteps } from "../box-diff/pair-alike";
import { pairByKey, sidesOf } from "./pair-by-key";
import type { AlignSteps, AlignTurn, TurnPair } from "./turn-pair";

/** In the order of reading. */
export function* alignSiblings(a: readonly AlignTurn[], b: readonly AlignTurn[]): AlignSteps<TurnPair[]> {
  const groupsB = groupsOf(b);
  const pairs: TurnPair[] = [];
  for (const [key, ones] of groupsOf(a)) pairs.push(...(yield* alignGroup(ones, groupsB.get(key) ?? [])));
  const taken = new Set(pairs.flatMap((pair) => [`a ${pair.a}`, `b ${pair.b}`]));
  const [restA, restB] = [
    a.filter(({ agent_turn_id }) => !taken.has(`a ${agent_turn_id}`)),
    b.filter(({ agent_turn_id }) => !taken.has(`b ${agent_turn_id}`)),
  ];
  return [...pairs, ...(yield* byWords(restA, restB))];
}

/**
 * As many on both sides: each has its place. With one more on a side, all that follow it would be one off, so equal instructions
 * are paired first, then similar ones, and the rest by place.
 */
function* alignGroup(a: readonly AlignTurn[], b: readonly AlignTurn[]): AlignSteps<TurnPair[]> {
  if (a.length === b.length) return byPlace(a, b);
  const sides = sidesOf(a, b);
  const equal = pairByKey(sides, ({ words }) => (words === "" ? null : words)).flatMap((pair) =>
    pairOf(a[pair.a], b[pair.b], "words"),
  );
  const [leftA, leftB] = [a.filter((_, at) => !sides.takenA.has(at)), b.filter((_, at) => !sides.takenB.has(at))];
  if (leftA.length === leftB.length) return [...equal, ...byPlace(leftA, leftB)];
  const alike = yield* byWords(leftA, leftB);
  const taken = new Set(alike.flatMap((pair) => [`a ${pair.a}`, `b ${pair.b}`]));
  const rest = byPlace(
    leftA.filter(({ agent_turn_id }) => !taken.has(`a ${agent_turn_id}`)),
    leftB.filter(({ agent_turn_id }) => !taken.has(`b ${agent_turn_id}`)),
  );
  return [...equal, ...alike, ...rest];
}

const byPlace = (a: readonly AlignTurn[], b: readonly AlignTurn[]): TurnPair[] =>
  a.flatMap((one, at) => pairOf(one, b[at], "place"));

const pairOf = (one: AlignTurn | undefined, other: AlignTurn | undefined, by: TurnPair["by"]): TurnPair[] =>
  one && other ? [{ a: one.agent_turn_id, b: other.agent_turn_id, by }] : [];

/** Those with at least half of their runs of words in common, best first, as rewritten cards are found. */
function* byWords(a: readonly AlignTurn[], b: readonly AlignTurn[]): AlignSteps<TurnPair[]> {
  const leftovers = (turns: readonly AlignTurn[]) =>
    turns.flatMap(({ is_human, words }, at) =>
      words === "" ? [] : [{ at, card: { type: is_human ? "person" : "agent", author_id: "" }, text: words }],
    );
  const found = yield* pairInSteps(leftovers(a), leftovers(b));
  return found.flatMap((pair) => pairOf(a[pair.a], b[pair.b], "words"));
}

function groupsOf(turns: readonly AlignTurn[]): Map<string, AlignTurn[]> {
  const groups = new Map<string, AlignTurn[]>();
  for (const turn of turns) {
    const key = JSON.stringify([turn.profile_name, turn.primitive]);
    const known = groups.get(key);
    if (known) known.push(turn);
    else groups.set(key, [turn]);
  }
  return groups;
}
