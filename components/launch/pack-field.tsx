"use client";

// The context pack of a task: one of the project's, or none.
import { usePackChoices, withChosen } from "@/components/domain/use-pack-choices";
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
  const packs = usePackChoices(projectId);
  return (
    <Field
      isQuiet
      label="Context pack"
      hint="The agent reads it before its task. Build packs on the page Context packs"
      error={error}
      className="w-72"
    >
      <Select value={value} options={withChosen([{ value: "", label: "none" }, ...packs], value)} onChange={onChange} />
    </Field>
  );
}
