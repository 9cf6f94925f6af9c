"use client";

// One run is known and the other is not: those that it was started again from, or that were started again from it, come first.
import { useQuery } from "@tanstack/react-query";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { useTabTitle } from "@/components/ui/tab-title";
import { RunPicker } from "./run-picker";

export type CompareChoiceProps = {
  projectId: string;
  /** The one that is known; null = neither. */
  known: string | null;
  /** A turn of it. */
  like: string | null;
  onPick: (root_turn_id: string) => void;
};

const whyWords = {
  forked_from: "It was forked from",
  rerun_of: "It repeats",
  fork: "Fork of it",
  rerun: "Repetition of it",
} as const;

export function CompareChoice({ projectId, known, like, onPick }: CompareChoiceProps) {
  const trpc = useTRPC();
  useTabTitle("Compare runs");
  const turn = useQuery({
    ...trpc.turn.detail.queryOptions({ project_id: projectId, agent_turn_id: like ?? "" }),
    enabled: like !== null,
  });
  const partners = useQuery({
    ...trpc.debugger.partners.queryOptions({ project_id: projectId, box_id: turn.data?.context_box_id ?? "" }),
    enabled: turn.data !== undefined,
  });
  const near = (partners.data?.partners ?? []).flatMap(({ why, boxes }) =>
    why in whyWords
      ? boxes.flatMap(({ turn: of }) =>
          of === undefined || of.root_turn_id === known
            ? []
            : [
                {
                  root_turn_id: of.root_turn_id,
                  why: `${whyWords[why as keyof typeof whyWords]}: ${of.headcode}`,
                  title: of.title,
                  created_at: of.created_at,
                },
              ],
        )
      : [],
  );
  return (
    <div className="compare-choice">
      <h1 className="text-display">Compare two runs</h1>
      <p className="mt-2 mb-4 text-ink-2">
        {known === null
          ? "Choose the first run."
          : "Choose the run to compare it with. Runs that were started again stand first."}
      </p>
      {turn.error ? (
        <Failure size="panel" error={turn.error} what="turn" name={like ?? ""} onRetry={turn.refetch} />
      ) : null}
      <RunPicker projectId={projectId} near={near} without={known} hasFocus onPick={onPick} />
    </div>
  );
}
