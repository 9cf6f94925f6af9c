"use client";

// A run that is not in the project: deleted, by whom and why, or never there.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Deletion } from "@/server/contract/answers/deletions";

export type GoneRunProps = { projectId: string; rootTurnId: string; onLeave: () => void };

export function GoneRun({ projectId, rootTurnId, onLeave }: GoneRunProps) {
  const trpc = useTRPC();
  const { data, isPending } = useQuery(
    trpc.run.deletion.queryOptions({ project_id: projectId, root_turn_id: rootTurnId }),
  );
  if (isPending)
    return (
      <div className="p-4">
        <SkeletonRows count={4} label="Looking for the run" />
      </div>
    );
  return (
    <EmptyState
      size="page"
      title={data ? "This run was deleted" : "Nothing here"}
      cause={data ? deletedWords(data) : "This run has no turns in this project. The link may be for another project."}
      remedy={<Button onClick={onLeave}>Show the newest run</Button>}
    />
  );
}

function deletedWords({ number, deleted_by, begun_at, reason }: Deletion): string {
  const who = deleted_by.replace(/^human_/, "");
  const run = number === undefined ? "It" : `Run ${number}`;
  return `${run} was deleted by ${who} on ${begun_at.slice(0, 10)}${reason === "" ? "." : `: ${reason}`}`;
}
