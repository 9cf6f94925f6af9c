"use client";

// The gate of a fork: when the join stops waiting, and how many tasks run at once.
import { PolicyFields } from "@/components/domain/policy-fields";
import { gateWords } from "@/components/domain/policy-words";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import type { GateForm } from "./launch-form";
import type { LaunchBlock } from "./launch-state";

export type GateFieldsProps = {
  gate: GateForm;
  tasks: number;
  onChange: (part: Partial<GateForm>) => void;
  block: LaunchBlock | null;
};

export function GateFields({ gate, tasks, onChange, block }: GateFieldsProps) {
  const errorAt = (place: LaunchBlock["place"]) =>
    block?.tone === "failed" && block.place === place ? block.reason : null;
  return (
    <fieldset className="launch-gate">
      <legend className="launch-label">Gate: {gateWords(gate, tasks)}, then joins</legend>
      <label className="launch-check">
        <input
          type="checkbox"
          checked={gate.fail_fast}
          onChange={(event) => onChange({ fail_fast: event.target.checked })}
        />
        <span>
          Fail fast <span className="text-ink-3">stop the others when one fails</span>
        </span>
      </label>
      <PolicyFields policy={gate.policy} tasks={tasks} onChange={(policy) => onChange({ policy })} />
      <div className="flex flex-wrap gap-2">
        <Field isQuiet label="Max parallel" hint="Empty: all at once" error={errorAt("max_parallel")} className="w-36">
          <TextInput
            inputMode="numeric"
            value={gate.max_parallel}
            onChange={(event) => onChange({ max_parallel: event.target.value })}
          />
        </Field>
        <Field
          isQuiet
          label="Deadline in seconds"
          hint="Empty: the server's default"
          error={errorAt("deadline_seconds")}
          className="w-44"
        >
          <TextInput
            inputMode="decimal"
            value={gate.deadline_seconds}
            onChange={(event) => onChange({ deadline_seconds: event.target.value })}
          />
        </Field>
      </div>
    </fieldset>
  );
}
