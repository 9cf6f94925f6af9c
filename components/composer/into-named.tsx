"use client";

// The run that a launch becomes part of, as the launch dialog chose it. It can be taken off here, and is chosen there.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";

export type IntoNamedProps = { projectId: string; into: string; onInto: (into: string | null) => void };

export function IntoNamed({ projectId, into, onInto }: IntoNamedProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: into, kinds: ["run"], limit: 1 },
      { staleTime: 60_000 },
    ),
  );
  const run = data?.runs.find(({ root_turn_id }) => root_turn_id === into);
  return (
    <p className="flex w-full items-center gap-2">
      <span className="min-w-0 flex-1 truncate">
        {/* Without its number until it is read. */}
        Launches into {run ? `run ${run.number}: ${run.title}` : "a run that exists"}
      </span>
      <Button variant="ghost" onClick={() => onInto(null)}>
        Run of its own
      </Button>
    </p>
  );
}
