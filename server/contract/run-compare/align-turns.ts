// Which turn of one run stands for which of another: the one rule for any two runs, on the page that compares them and in the
// composer. Links that say so come first, wherever they lead: the same turn, the same step of a plan, a fork or a rerun of it.
// Everything else is aligned top down, among the callees of turns that are paired. Between two runs of one plan's lineage, its steps
// are decided by their links alone. Pure.
import { alignSiblings } from "./align-siblings";
import { type KeyPair, type KeySides, pairByKey, sidesOf } from "./pair-by-key";
import type { AlignedBy, AlignSteps, AlignTurn, TurnPair } from "./turn-pair";

/** All at once. */
export function alignTurns(a: readonly AlignTurn[], b: readonly AlignTurn[]): TurnPair[] {
  const steps = alignInSteps(a, b);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Each turn is in at most one pair. The order in which turns are given does not matter. */
export function* alignInSteps(a: readonly AlignTurn[], b: readonly AlignTurn[]): AlignSteps<TurnPair[]> {
  const [left, right] = [inOrder(a), inOrder(b)];
  const pairs = linked(left, right);
  const taken = new Set(pairs.flatMap(({ a: one, b: other }) => [`a ${one}`, `b ${other}`]));
  const [calleesA, calleesB] = [calleesOf(left), calleesOf(right)];
  const plans = { a: plansOf(right), b: plansOf(left) };
  const isFree = (side: "a" | "b") => (turn: AlignTurn) =>
    !taken.has(`${side} ${turn.agent_turn_id}`) && !(turn.plan !== null && plans[side].has(turn.plan));
  // The list grows while it is read: the callees of each pair that is found are aligned too.
  const groups: [string, string][] = [[NOBODY, NOBODY], ...pairs.map((pair): [string, string] => [pair.a, pair.b])];
  for (const [callerA, callerB] of groups) {
    const ones = (calleesA.get(callerA) ?? []).filter(isFree("a"));
    const others = (calleesB.get(callerB) ?? []).filter(isFree("b"));
    if (ones.length === 0 || others.length === 0) continue;
    for (const pair of yield* alignSiblings(ones, others)) {
      pairs.push(pair);
      groups.push([pair.a, pair.b]);
    }
  }
  return pairs;
}

/** A step that the other run of the plan does not have stands for no other step of it, however alike the two are. */
const plansOf = (turns: readonly AlignTurn[]): ReadonlySet<string> => new Set(turns.flatMap(({ plan }) => plan ?? []));

/** Turns without a caller in the run: its root, and those that were taken over from another run. */
const NOBODY = "";

/** The order of reading: by time, then as the branches of a fork, then by id, so that it is the same however they were listed. */
export const inOrder = <T extends Pick<AlignTurn, "created_at" | "task_index" | "agent_turn_id">>(
  turns: readonly T[],
): T[] =>
  [...turns].sort(
    (x, y) =>
      compare(x.created_at, y.created_at) ||
      (x.task_index ?? 0) - (y.task_index ?? 0) ||
      compare(x.agent_turn_id, y.agent_turn_id),
  );

const compare = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);

function linked(left: readonly AlignTurn[], right: readonly AlignTurn[]): TurnPair[] {
  // Of several tries of a step the newest are compared first.
  const sides = sidesOf(left.toReversed(), right.toReversed());
  const named = (how: AlignedBy, found: readonly KeyPair[]): TurnPair[] =>
    found.flatMap((pair) => {
      const [one, other] = [sides.a[pair.a], sides.b[pair.b]];
      return one && other ? [{ a: one.agent_turn_id, b: other.agent_turn_id, by: how }] : [];
    });
  const from = (how: "forked_from" | "rerun_of") => (turn: AlignTurn) =>
    turn.origin?.how === how ? turn.origin.agent_turn_id : null;
  return [
    ...named("turn", pairByKey(sides, idOf)),
    ...named(
      "node",
      pairByKey(sides, ({ node }) => node),
    ),
    ...(["forked_from", "rerun_of"] as const).flatMap((how) => [
      ...named(how, startedAgain(sides, from(how))),
      ...named(how, pairByKey(sides, from(how))),
    ]),
  ];
}

const idOf = ({ agent_turn_id }: AlignTurn): string => agent_turn_id;

/** From either side. Where several name one turn, the newest has it; seen from the other side it is the same one. */
function startedAgain(sides: KeySides<AlignTurn>, originOf: (turn: AlignTurn) => string | null): KeyPair[] {
  const [placesA, placesB] = [sides.a, sides.b].map((turns) => new Map(turns.map((turn, at) => [idOf(turn), at])));
  const found = [
    ...sides.a.flatMap((turn, a) => ({ a, b: placesB?.get(originOf(turn) ?? "") })),
    ...sides.b.flatMap((turn, b) => ({ a: placesA?.get(originOf(turn) ?? ""), b })),
  ];
  const links = found.flatMap(({ a, b }) => (a === undefined || b === undefined ? [] : [{ a, b }]));
  links.sort((x, y) => x.a + x.b - (y.a + y.b) || Math.abs(x.a - x.b) - Math.abs(y.a - y.b));
  return links.filter(({ a, b }) => {
    if (sides.takenA.has(a) || sides.takenB.has(b)) return false;
    sides.takenA.add(a);
    sides.takenB.add(b);
    return true;
  });
}

function calleesOf(turns: readonly AlignTurn[]): Map<string, AlignTurn[]> {
  const there = new Set(turns.map(({ agent_turn_id }) => agent_turn_id));
  const callees = new Map<string, AlignTurn[]>();
  for (const turn of turns) {
    const caller = turn.parent_turn_id !== null && there.has(turn.parent_turn_id) ? turn.parent_turn_id : NOBODY;
    const known = callees.get(caller);
    if (known) known.push(turn);
    else callees.set(caller, [turn]);
  }
  return callees;
}
