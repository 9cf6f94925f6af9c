"use client";

// The hand-over that the last two steps of the tour tell of. Frames do not say what was left out; the receipts of the boxes do.
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { useTopology, useTurns, useYard } from "../yard-context";
import { type Handover, handoversOf, type LeftBehind, leftBehindOf } from "./tour-stops";

/** So many boxes are read at most, in one request. */
const BOXES_MAX = 24;

export type TourHandovers = {
  first: Handover | undefined;
  left: LeftBehind | undefined;
  /** Until the receipts are there, nothing is said about them. */
  isLoading: boolean;
  error: string | null;
};

export function useLeftBehind(isDue: boolean): TourHandovers {
  const { projectId } = useYard();
  const trpc = useTRPC();
  const turns = useTurns();
  const { links } = useTopology();
  const handovers = useMemo(() => handoversOf(turns, links).slice(0, BOXES_MAX), [turns, links]);
  const boxes = useQueries({
    queries: handovers.map(({ callee }) =>
      trpc.box.get.queryOptions(
        { project_id: projectId, box_id: callee.context_box_id },
        // A receipt is written once, with its box.
        { enabled: isDue, staleTime: Number.POSITIVE_INFINITY },
      ),
    ),
  });
  return {
    first: handovers[0],
    left: leftBehindOf(
      handovers,
      boxes.map((box) => box.data?.receipt),
    ),
    isLoading: boxes.some((box) => box.isPending && box.error === null),
    error: boxes.find((box) => box.error !== null)?.error?.message ?? null,
  };
}
