"use client";

// Which run a launch becomes part of: one of its own, or one that is still running.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

export type IntoRunProps = {
  projectId: string;
  /** The root turn of the run; null = a run of its own. */
  into: string | null;
  onInto: (into: string | null) => void;
};

const OWN = "";

export function IntoRun({ projectId, into, onInto }: IntoRunProps) {
  const trpc = useTRPC();
  // Read at each opening: what ran when the dialog was open before is another list.
  const live = useQuery(
    trpc.delegation.liveRuns.queryOptions(
      { project_id: projectId },
      { ...patient, staleTime: 0, refetchOnMount: "always" },
    ),
  );
  const runs = live.data?.runs ?? [];
  // One that a link names, or that has ended meanwhile, can still be added to.
  const isListed = runs.some(({ root_turn_id }) => root_turn_id === into);
  const named = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: into ?? "", kinds: ["run"], limit: 1 },
      { enabled: into !== null && live.data !== undefined && !isListed, staleTime: 60_000 },
    ),
  );
  const found = named.data?.runs.find(({ root_turn_id }) => root_turn_id === into);
  return (
    <Field
      isQuiet
      label="Run"
      aside={live.data === undefined ? undefined : asideOf(live.data)}
      error={live.error?.message ?? null}
    >
      <Select
        value={into ?? OWN}
        isDisabled={live.data === undefined}
        onChange={(root) => onInto(root === OWN ? null : root)}
        options={[
          { value: OWN, label: "A run of its own" },
          ...(into === null || isListed
            ? []
            : [{ value: into, label: found ? labelOf(found) : `Run of turn ${into}` }]),
          ...runs.map((run) => ({ value: run.root_turn_id, label: labelOf(run) })),
        ]}
      />
    </Field>
  );
}

const labelOf = ({ number, title }: { number: number; title: string }): string => `Run ${number}: ${title}`;

const asideOf = ({ runs, has_more }: { runs: readonly unknown[]; has_more: boolean }): string | undefined =>
  runs.length === 0 ? "No run is running now" : has_more ? `The newest ${runs.length} that are running` : undefined;
