// Two runs of one lineage, place by place: what stayed, what ran again, and what only one of them has. Pure.
import { partsOf } from "@/server/contract/plan/graph";
import { ridersOf } from "@/server/contract/plan/plan-words";
import type { PlaceTurn, RunDrawing } from "@/server/contract/plan/run-drawing";

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
  const gone = ridersOf(there.run.body).flatMap(({ place }) => (parts.has(place) ? [] : place));
  const [mine, theirs] = [here, there].map(({ turns }) => new Map(turns.map((turn) => [turn.place, turn])));
  return {
    places: [...own, ...gone].map((place) => compared(place, mine?.get(place), theirs?.get(place))),
    here: figuresOf(here),
    there: figuresOf(there),
  };
}

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
