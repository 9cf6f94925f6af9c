// The ground that plans take in a yard: all of it at once, when a plan is launched, so that nothing moves when its nodes start.
// An edit adds nodes, takes some away, and moves those that nothing of has started.
import type { Cells } from "@/server/contract/lanes";
import type { Columns } from "./columns";
import { type Stop, stopCells } from "./stop";

/** A plan run: its nodes on the plan's own grid, and which revision of its body they are of. */
export type PlanGround = { rev: number; stops: readonly Stop[] };

export type SeatedPlan = {
  id: string;
  /** The turn that launched it. */
  parent: string;
  rev: number;
  /** From the plan's own grid to the yard's. */
  cols: number;
  rows: number;
  cells: Cells;
};

export type SeatedStop = Stop & {
  /** What stands there: the turn of a wagon, the batch of a fork. */
  holder: string | null;
  /** When it was made. */
  since: string;
};

export function createStopYard(taken: Columns) {
  const plans = new Map<string, SeatedPlan>();
  const stops = new Map<string, SeatedStop>();

  /** In the wanted row, or the first one below in which all of it is free. */
  function roomFor(all: readonly Cells[], wanted: number): number {
    let rows = wanted;
    for (let isFree = false; !isFree; ) {
      isFree = true;
      for (const { top, bottom, ...sides } of all) {
        const blocked = taken.blocked({ ...sides, top: top + rows, bottom: bottom + rows });
        if (blocked === null) continue;
        rows = blocked + 1 - top;
        isFree = false;
      }
    }
    return rows;
  }

  /** Its cell is the gate's, which nobody else may have. */
  const isFreeBehind = ({ id, is_behind, col, row }: Stop): boolean =>
    is_behind && ![...stops.values()].some((other) => other.id !== id && other.col === col && other.row === row);

  function settle(stop: Stop): void {
    const known = stops.get(stop.id);
    stops.set(stop.id, { ...stop, holder: known?.holder ?? null, since: known?.since ?? "" });
    taken.takeAll(stopCells(stop));
  }

  return {
    plans: plans as ReadonlyMap<string, SeatedPlan>,
    stops: stops as ReadonlyMap<string, SeatedStop>,

    /** `at`: the column of its first nodes, the wanted row of its row 0, and the row that nothing may rise above. */
    seat(id: string, parent: string, ground: PlanGround, at: { col: number; row: number; ceiling: number }): Cells {
      const all = ground.stops.map((stop) => shifted(stop, at.col - 1, 0));
      const cells = all.map(stopCells);
      const hull = hullOf(cells);
      const rows = roomFor(cells, Math.max(at.row, at.ceiling - hull.top));
      for (const stop of all) settle(shifted(stop, 0, rows));
      const seated = { ...hull, top: hull.top + rows, bottom: hull.bottom + rows };
      plans.set(id, { id, parent, rev: ground.rev, cols: at.col - 1, rows, cells: seated });
      return seated;
    },

    /** The same plan after an edit. Its own ground widens where nodes were added. */
    reseat(id: string, ground: PlanGround): Cells | null {
      const plan = plans.get(id);
      if (!plan || plan.rev === ground.rev) return null;
      const kept = new Set(ground.stops.map((stop) => stop.id));
      for (const stop of stops.values())
        if (stop.plan_run_id === id && stop.holder === null && !kept.has(stop.id)) stops.delete(stop.id);
      for (const own of ground.stops) {
        const stop = shifted(own, plan.cols, plan.rows);
        const known = stops.get(stop.id);
        if (known && (known.holder !== null || (known.col === stop.col && known.row === stop.row)))
          settle({ ...stop, col: known.col, row: known.row });
        else settle(shifted(stop, 0, isFreeBehind(stop) ? 0 : roomFor([stopCells(stop)], 0)));
      }
      const own = [...stops.values()].filter((stop) => stop.plan_run_id === id);
      const cells = hullOf([plan.cells, ...own.map(stopCells)]);
      plans.set(id, { ...plan, rev: ground.rev, cells });
      return cells;
    },

    /** Stands a turn or a batch there. Answers what stood there before; undefined = what stands there is newer. */
    hold(id: string, holder: string, since: string): { before: string | null } | undefined {
      const stop = stops.get(id);
      if (!stop || (stop.holder !== null && stop.since >= since)) return undefined;
      stops.set(id, { ...stop, holder, since });
      return { before: stop.holder };
    },
  };
}

const shifted = <T extends { col: number; row: number }>(at: T, cols: number, rows: number): T => ({
  ...at,
  col: at.col + cols,
  row: at.row + rows,
});

const hullOf = (all: readonly Cells[]): Cells => ({
  left: Math.min(...all.map(({ left }) => left)),
  right: Math.max(...all.map(({ right }) => right)),
  top: Math.min(...all.map(({ top }) => top)),
  bottom: Math.max(...all.map(({ bottom }) => bottom)),
});
