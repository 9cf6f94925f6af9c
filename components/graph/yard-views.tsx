"use client";

// The way from the yard to its other views: the same run, the same turn, the same filter.
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { RunViews } from "@/components/domain/run-views";
import { ALL_RUNS } from "./plan/yard-turns";
import { useTopology, useTurn, useYard } from "./yard-context";
import { yardParams } from "./yard-url";

export function YardViews() {
  const { projectId, selectedId } = useYard();
  const { scope } = useTopology();
  const [{ view, tour }, setParams] = useQueryStates(yardParams);
  const turn = useTurn(selectedId ?? "");
  const search = new URLSearchParams(useSearchParams());
  for (const own of ["view", "tour", "card", "agent"]) search.delete(own);
  return (
    <RunViews
      projectId={projectId}
      rootTurnId={scope === ALL_RUNS ? turn?.root_turn_id : scope}
      view={tour === null ? (view ?? "yard") : "yard"}
      search={search}
      onView={(next) =>
        void setParams({
          view: next === "yard" ? null : next,
          tour: null,
          // Of all runs, the lanes are those of the selected turn's.
          ...(next === "lanes" && scope === ALL_RUNS && { run: turn?.root_turn_id }),
        })
      }
    />
  );
}

/** The table or the lanes; null = the plan, as a tour points at what stands on it. */
export function useOtherView(): "tree" | "lanes" | null {
  const [{ view, tour }] = useQueryStates(yardParams);
  return tour === null ? view : null;
}
