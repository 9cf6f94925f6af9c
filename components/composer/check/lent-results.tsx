"use client";

// The results of an earlier run stand in for those that are not there yet, so that a late wagon can be read before anything runs.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { formatClock } from "@/components/ui/format";
import { Select } from "@/components/ui/select";
import { useComposer } from "../composer-context";
import { usePick } from "../small-store";

export function LentResults({ planName }: { planName: string }) {
  const trpc = useTRPC();
  const { projectId, lent } = useComposer();
  const value = usePick(lent, whole);
  const { data } = useQuery(trpc.plan.sheet.queryOptions({ project_id: projectId, name: planName }));
  const runs = data?.runs ?? [];
  if (runs.length === 0) return null;
  return (
    <Select
      label="Missing results"
      className="w-56"
      value={value ?? ""}
      options={[
        { value: "", label: "Results are estimated" },
        ...runs.map(({ plan_run_id, version, status, created_at }) => ({
          value: plan_run_id,
          label: `Results of the run of ${formatClock(created_at)}, v${version}, ${status}`,
        })),
      ]}
      onChange={(next) => lent.set(next === "" ? null : next)}
    />
  );
}

const whole = <T,>(value: T): T => value;
