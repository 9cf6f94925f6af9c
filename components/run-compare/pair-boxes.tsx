"use client";

// The cards of two boxes, or of two requests, of the chosen turns.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BOX_DIFF_ROWS, BoxDiffView, BoxDiffWaiting } from "@/components/domain/box-diff-view";
import { useTRPC } from "@/components/trpc/client";

export type PairBoxesProps = { projectId: string; of: "boxes" | "steps"; a: string; b: string };

export function PairBoxes({ projectId, ...two }: PairBoxesProps) {
  const trpc = useTRPC();
  const [from, setFrom] = useState(0);
  const diff = useQuery({
    ...trpc.debugger.diff.queryOptions({ project_id: projectId, ...two, from, limit: BOX_DIFF_ROWS }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return diff.data === undefined ? (
    <BoxDiffWaiting error={diff.error?.message} />
  ) : (
    <BoxDiffView projectId={projectId} diff={diff.data} onFrom={setFrom} />
  );
}
