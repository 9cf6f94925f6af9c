"use client";

// A labelled field: label, hint and error are tied to the control, so that each is read with it.
import { createContext, type ReactNode, useContext, useId } from "react";

export type FieldProps = {
  label: string;
  /** Right of the label: a count, "optional". */
  aside?: ReactNode;
  hint?: ReactNode;
  /** Says what is wrong and what to do. */
  error?: string | null;
  /** For search boxes and the like, whose place says what they are. */
  isLabelHidden?: boolean;
  /** In a form whose labels are small and grey. */
  isQuiet?: boolean;
  className?: string;
  /** One control of this folder: TextInput, Select. */
  children: ReactNode;
};

export type FieldIds = { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean };

export function Field(props: FieldProps) {
  const { label, aside, hint, error, isLabelHidden = false, isQuiet = false, className = "", children } = props;
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== "";
  const describedBy = [hasError ? `${id}-error` : "", hint === undefined ? "" : `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <div className={isLabelHidden ? "sr-only" : "flex items-baseline gap-2"}>
        <label htmlFor={id} className={isQuiet ? "text-ink-3 text-note" : "font-semibold"}>
          {label}
        </label>
        <span className="flex-1" />
        {aside === undefined ? null : <span className="text-ink-3 text-note">{aside}</span>}
      </div>
      <FieldContext
        value={{ id, "aria-describedby": describedBy || undefined, "aria-invalid": hasError ? true : undefined }}
      >
        {children}
      </FieldContext>
      {hasError ? (
        <p id={`${id}-error`} role="alert" className="text-note text-st-failed">
          {error}
        </p>
      ) : null}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-ink-3 text-note">
          {hint}
        </p>
      )}
    </div>
  );
}

/** What a control of this folder spreads onto its element. Outside a Field it brings its own aria-label. */
export function useFieldIds(): FieldIds | null {
  return useContext(FieldContext);
}

const FieldContext = createContext<FieldIds | null>(null);
