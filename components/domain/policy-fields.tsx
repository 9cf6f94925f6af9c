"use client";

// The policy of a join: how many tasks it waits for, for how long, and what becomes of those that are late.
import { useState } from "react";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { fitPolicy } from "./policy-words";

export type PolicyFieldsProps = {
  /** Absent = it waits for all. */
  policy: JoinPolicy | undefined;
  tasks: number;
  onChange: (policy: JoinPolicy | undefined) => void;
};

export function PolicyFields({ policy = { kind: "all" }, tasks, onChange }: PolicyFieldsProps) {
  const change = (part: Partial<JoinPolicy>) => onChange(fitPolicy({ ...policy, ...part }));
  const isTimed = policy.timeout_ms !== undefined;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Field isQuiet label="Waits for">
        <Select
          value={policy.kind}
          options={[
            { value: "all", label: "all tasks" },
            { value: "any", label: "the first task" },
            { value: "quorum", label: "a number of tasks" },
          ]}
          onChange={(kind) => change({ kind, ...(kind === "quorum" && { k: Math.max(1, Math.min(2, tasks)) }) })}
        />
      </Field>
      {policy.kind === "quorum" ? (
        <NumberText
          label={`Tasks, of ${tasks}`}
          value={policy.k}
          isWhole
          max={Math.max(1, tasks)}
          onChange={(k) => (k === undefined ? undefined : change({ k }))}
        />
      ) : null}
      {policy.kind === "all" ? null : (
        <Field isQuiet label="Counts">
          <Select
            value={policy.count ?? "delivered"}
            options={[
              { value: "delivered", label: "tasks that deliver" },
              { value: "ended", label: "tasks that end" },
            ]}
            onChange={(count) => change({ count })}
          />
        </Field>
      )}
      <NumberText
        label="Waits at most, seconds"
        value={policy.timeout_ms === undefined ? undefined : policy.timeout_ms / 1000}
        max={31_536_000}
        placeholder="until the deadline"
        onChange={(seconds) =>
          change({ timeout_ms: seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1000)) })
        }
      />
      {isTimed ? (
        <Field isQuiet label="After that time">
          <Select
            value={policy.on_timeout ?? "emit_partial"}
            options={[
              { value: "emit_partial", label: "use what arrived" },
              { value: "fail", label: "fail" },
              { value: "wait", label: "wait for the deadline" },
            ]}
            onChange={(on_timeout) => change({ on_timeout })}
          />
        </Field>
      ) : null}
      {policy.kind === "all" && !isTimed ? null : (
        <Field isQuiet label="Tasks still running then">
          <Select
            value={policy.late ?? "stop"}
            options={[
              { value: "stop", label: "are stopped" },
              { value: "run", label: "go on" },
            ]}
            onChange={(late) => change({ late })}
          />
        </Field>
      )}
    </div>
  );
}

function NumberText({
  label,
  value,
  max,
  isWhole = false,
  placeholder,
  onChange,
}: {
  label: string;
  value: number | undefined;
  max: number;
  isWhole?: boolean;
  placeholder?: string;
  onChange: (value: number | undefined) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  return (
    <Field isQuiet label={label} error={error}>
      <TextInput
        inputMode={isWhole ? "numeric" : "decimal"}
        value={typed ?? (value === undefined ? "" : String(value))}
        placeholder={placeholder}
        onBlur={() => {
          setTyped(null);
          setError(null);
        }}
        onChange={({ target }) => {
          setTyped(target.value);
          const next = target.value.trim() === "" ? undefined : Number(target.value);
          const isGood =
            next === undefined ? !isWhole : next > 0 && next <= max && (!isWhole || Number.isInteger(next));
          setError(isGood ? null : `Give a ${isWhole ? "whole number from 1" : "number above 0"} to ${max}.`);
          if (isGood) onChange(next);
        }}
      />
    </Field>
  );
}
