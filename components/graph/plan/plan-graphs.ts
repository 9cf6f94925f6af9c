// The graphs of plan runs, read once for each revision of a body and kept beside the picture they belong to.
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import type { LivePicture } from "../live/live-picture";

/** By plan run. null = it could not be read: its turns are drawn like any others. Absent = not read yet. */
export type PlanGraphs = ReadonlyMap<string, PlanGraphView | null>;

export type PlanGraphStore = {
  get: () => PlanGraphs;
  /** An older revision never replaces a newer one. */
  put: (planRunId: string, graph: PlanGraphView | null) => void;
  subscribe: (listener: () => void) => () => void;
};

const stores = new WeakMap<LivePicture, PlanGraphStore>();

export function planGraphsOf(live: LivePicture): PlanGraphStore {
  const store = stores.get(live) ?? createStore();
  stores.set(live, store);
  return store;
}

function createStore(): PlanGraphStore {
  let graphs: PlanGraphs = new Map();
  const listeners = new Set<() => void>();
  return {
    get: () => graphs,
    put(planRunId, graph) {
      const known = graphs.get(planRunId);
      if (known === graph || (known && (graph === null || graph.body_rev <= known.body_rev))) return;
      graphs = new Map(graphs).set(planRunId, graph);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
