// Which turns of a run had which of some cards, from what their boxes hold. Pure.
import type { SawTextAnswer } from "@/server/contract/answers/saw-text";

type SawTurn = SawTextAnswer["turns"][number];
type Way = SawTurn["as"][number];

/** `turns`: id, headcode and where its own cards begin in its output box. `held`: whose, which box, and the ids from a place on. */
export type HeldOfRun = {
  turns: [agent_turn_id: string, headcode: string, output_start: number | null][];
  held: [turn: number, what: Exclude<Way, "memory">, start: number, ids: string][];
};

export function knownCards({ held }: HeldOfRun, max: number): string[] {
  const known = new Set<string>();
  for (const [, , , ids] of held)
    for (const id of ids.split(" ")) {
      known.add(id);
      if (known.size >= max) return [...known];
    }
  return [...known];
}

/**
 * In the order of the turns. `writers`: of the cards that are looked for. All turns of a reused agent share an output box: a turn that
 * ended before a card was written never had it.
 */
export function sawTurns({ turns, held }: HeldOfRun, writers: ReadonlyMap<string, string | null>): SawTurn[] {
  const had = turns.map(() => ({ cards: new Set<string>(), ways: new Set<Way>() }));
  for (const [turn, what, start, ids] of held) {
    const [mine, [agent_turn_id, , output_start] = []] = [had[turn], turns[turn]];
    if (!mine) continue;
    for (const [i, id] of ids.split(" ").entries()) {
      const writer = writers.get(id);
      if (writer === undefined) continue;
      const isMemory = what === "output" && output_start != null && start + i < output_start;
      if (what === "output" && !isMemory && writer !== agent_turn_id) continue;
      mine.cards.add(id);
      mine.ways.add(isMemory ? "memory" : what);
    }
  }
  return turns.flatMap(([agent_turn_id, headcode], i) => {
    const { cards, ways } = had[i] ?? {};
    if (!cards || !ways || cards.size === 0) return [];
    return { agent_turn_id, headcode, as: [...ways].sort(), cards: cards.size };
  });
}
