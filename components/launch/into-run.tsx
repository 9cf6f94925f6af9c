"use client";

// Opened from a run, the launch is added to it; one click makes it a run of its own.
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import type { Launch } from "./use-launch";

export function IntoRun({ projectId, launch }: { projectId: string; launch: Launch }) {
  const trpc = useTRPC();
  // What it was opened with may be chosen again.
  const named = useRef(launch.into);
  if (launch.into !== null) named.current = launch.into;
  const root = named.current;
  const { data } = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: root ?? "", kinds: ["run"], limit: 1 },
      { enabled: root !== null, staleTime: 60_000 },
    ),
  );
  if (root === null) return null;
  const run = data?.runs.find(({ root_turn_id }) => root_turn_id === root);
  return (
    <label className="flex min-h-6 items-center gap-1.5 whitespace-nowrap">
      <input
        type="checkbox"
        checked={launch.into !== null}
        onChange={(event) => launch.setInto(event.target.checked ? root : null)}
      />
      Add it to {run ? `run ${run.number}` : "this run"}
    </label>
  );
}
