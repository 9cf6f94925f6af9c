"use client";

// The instruction: grows with its text up to half the window, counts its bytes once they begin to matter.
import { type Ref, useId } from "react";
import { formatBytes } from "@/components/ui/format";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";

export type InstructionFieldProps = {
  value: string;
  bytes: number;
  onChange: (value: string) => void;
  label?: string;
  error: string | null;
  /** False when the browser does not keep the draft. */
  isKept: boolean;
  ref?: Ref<HTMLTextAreaElement>;
};

/** From here on the count is shown. */
const NEAR = 0.75;

export function InstructionField(props: InstructionFieldProps) {
  const { value, bytes, onChange, label = "Instruction", error, isKept, ref } = props;
  const id = useId();
  const isNear = bytes > INSTRUCTION_BYTES_MAX * NEAR;
  return (
    <div>
      <div className="flex items-baseline gap-2">
        <label htmlFor={id} className="launch-label">
          {label}
        </label>
        <span className="flex-1" />
        {isNear ? (
          <span
            className={`text-note ${bytes > INSTRUCTION_BYTES_MAX ? "font-semibold text-st-failed" : "text-ink-3"}`}
          >
            {formatBytes(bytes)} of {formatBytes(INSTRUCTION_BYTES_MAX)}
          </span>
        ) : null}
      </div>
      <textarea
        dir="auto"
        ref={ref}
        id={id}
        value={value}
        rows={3}
        placeholder="What should the agent do, and what should it return?"
        aria-invalid={error === null ? undefined : true}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        className="field-box launch-instruction"
      />
      <p id={`${id}-note`} className="text-note">
        {error === null ? null : <span className="text-st-failed">{error} </span>}
        {isKept ? null : (
          <span className="text-ink-2">This browser does not save the text. It is lost when you leave the page.</span>
        )}
      </p>
    </div>
  );
}
