"use client";

// The context pack of a task: one of the project's, or none.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

export type PackFieldProps = {
  projectId: string;
  /** artifact://context/...; "" = none. */
  value: string;
  onChange: (ref: string) => void;
  error: string | null;
};

export function PackField({ projectId, value, onChange, error }: PackFieldProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.context_pack.list.queryOptions(
      { project_id: projectId, limit: 50 },
      { staleTime: 5_000, placeholderData: keepPreviousData },
    ),
  );
  const options = [
    { value: "", label: "none" },
    ...(data?.items ?? []).map(({ code, title, artifact_ref }) => ({ value: artifact_ref, label: `${code} ${title}` })),
  ];
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field
      isQuiet
      label="Context pack"
      hint="Read before the task. Build one on the page Context packs"
      error={error}
      className="w-72"
    >
      <Select
        value={value}
        options={isKnown ? options : [...options, { value, label: value.replace("artifact://context/", "") }]}
        onChange={onChange}
      />
    </Field>
  );
}
