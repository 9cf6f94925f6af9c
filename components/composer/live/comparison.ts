// Two runs of one lineage, place by place: what stayed, what ran again, and what only one of them has. Which turns belong together
// is decided where it is for any two runs. Pure.
import { partsOf } from "@/server/contract/plan/graph";
import { ridersOf } from "@/server/contract/plan/plan-words";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";
import { alignTurns } from "@/server/contract/run-compare/align-turns";
import type { AlignTurn } from "@/server/contract/run-compare/turn-pair";

/** same = the recorded result of the other. changed = both ran it. here, there = only this run, or only the other has a turn of it. */
export type Compared = "same" | "changed" | "here" | "there" | "neither";

export type ComparedPlace = { place: string; verdict: Compared; here?: PlaceTurn; there?: PlaceTurn };

export type RunFigures = { turns: number; tokens: number; cost: number | null; ms: number };

export type Comparison = {
  /** In the order of this run's plan; what it no longer has comes last. */
  places: ComparedPlace[];
  here: RunFigures;
  there: RunFigures;
};

export function compareRuns(here: RunDrawing, there: RunDrawing): Comparison {
  const own = ridersOf(here.run.body).map(({ place }) => place);
  const parts = partsOf(here.run.body);
  const [mine, theirs] = [turnsByPlace(here), turnsByPlace(there)];
  const byId = new Map(there.turns.map((turn) => [turn.agent_turn_id, turn]));
  const pairs = alignTurns(here.turns.map(placed), there.turns.map(placed));
  const partners = new Map(pairs.map(({ a, b }) => [a, byId.get(b)]));
  const paired = new Set(pairs.map(({ b }) => b));
  const gone = ridersOf(there.run.body).flatMap(({ place }) => {
    // What was taken over to another place is told there.
    const isTold = parts.has(place) || paired.has(theirs.get(place)?.agent_turn_id ?? "");
    return isTold ? [] : place;
  });
  const alone = (place: string): PlaceTurn | undefined => {
    const turn = theirs.get(place);
    return turn && !paired.has(turn.agent_turn_id) ? turn : undefined;
  };
  return {
    places: [...own, ...gone].map((place) => {
      const turn = mine.get(place);
      return compared(place, turn, turn ? partners.get(turn.agent_turn_id) : alone(place));
    }),
    here: figuresOf(here),
    there: figuresOf(there),
  };
}

const turnsByPlace = ({ turns }: RunDrawing) => new Map(turns.map((turn) => [turn.place, turn]));

/** Of a step of a plan its place says all: it is aligned by that, or by being the same turn. */
const placed = ({ agent_turn_id, place }: PlaceTurn): AlignTurn => ({
  ...{ agent_turn_id, node: place, plan: "this", parent_turn_id: null, origin: null },
  ...{ profile_name: "", primitive: "", is_human: false, task_index: null, created_at: "", words: "" },
});

function compared(place: string, here?: PlaceTurn, there?: PlaceTurn): ComparedPlace {
  const verdict =
    here && there
      ? here.agent_turn_id === there.agent_turn_id
        ? "same"
        : "changed"
      : here
        ? "here"
        : there
          ? "there"
          : "neither";
  return { place, verdict, ...(here && { here }), ...(there && { there }) };
}

/** What it took itself: a result that was recorded before cost it nothing. */
export function figuresOf({ run, turns }: RunDrawing): RunFigures {
  const own = turns.filter(({ as_in_run }) => as_in_run === undefined);
  const priced = own.flatMap(({ cost }) => cost ?? []);
  return {
    turns: own.length,
    tokens: own.reduce((sum, turn) => sum + turn.tokens_in + turn.tokens_out, 0),
    cost: priced.length === 0 ? null : priced.reduce((sum, cost) => sum + cost, 0),
    ms: msBetween(run.created_at, run.ended_at),
  };
}

const msBetween = (from: string, to: string | undefined): number =>
  Math.max(0, new Date(to ?? Date.now()).getTime() - new Date(from).getTime());
