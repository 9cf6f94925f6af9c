"use client";

// Fields that are written into the plan while one types. What the plan would refuse stays in the field, with the reason.
import { useState } from "react";
import { Field } from "@/components/ui/field";
import { TextArea } from "@/components/ui/text-area";
import { TextInput } from "@/components/ui/text-input";
import { useComposer } from "../composer-context";
import { setting } from "../draft/edits";

type Bound = {
  /** Null = the plan itself. */
  place: string | null;
  path: string;
  label: string;
  placeholder?: string;
  /** For the keys that lead to it. */
  name?: string;
  className?: string;
};

export function TextField({
  value,
  rows,
  maxLength,
  isKept = false,
  ...bound
}: Bound & {
  value: string | undefined;
  /** Absent = one line. */
  rows?: number;
  maxLength: number;
  /** Empty text is a value of its own; else it takes the field away. */
  isKept?: boolean;
}) {
  const { error, write } = useWriting(bound);
  const shared = {
    value: value ?? "",
    maxLength,
    placeholder: bound.placeholder,
    "data-field": bound.name,
    onChange: ({ target }: { target: { value: string } }) =>
      write(target.value === "" && !isKept ? undefined : target.value),
  };
  return (
    <Field label={bound.label} isQuiet error={error} className={bound.className ?? ""}>
      {rows === undefined ? <TextInput {...shared} /> : <TextArea rows={rows} {...shared} />}
    </Field>
  );
}

export function NumberField({
  value,
  min,
  max,
  isWhole = true,
  ...bound
}: Bound & {
  value: number | undefined;
  min: number;
  max: number;
  isWhole?: boolean;
}) {
  const { error, write, refuse } = useWriting(bound);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={bound.label} isQuiet error={error} className={bound.className ?? ""}>
      <TextInput
        inputMode={isWhole ? "numeric" : "decimal"}
        value={typed ?? (value === undefined ? "" : String(value))}
        placeholder={bound.placeholder}
        data-field={bound.name}
        onBlur={() => setTyped(null)}
        onChange={({ target }) => {
          setTyped(target.value);
          const text = target.value.trim().replaceAll(",", "");
          if (text === "") return write(undefined);
          const next = Number(text);
          if (!Number.isFinite(next) || next < min || next > max || (isWhole && !Number.isInteger(next)))
            return refuse(`${bound.label} is ${isWhole ? "a whole number" : "a number"} from ${min} to ${max}.`);
          write(next);
        }}
      />
    </Field>
  );
}

function useWriting({ place, path, label }: Bound) {
  const { store } = useComposer();
  const [error, setError] = useState<string | null>(null);
  return {
    error,
    refuse: setError,
    write(value: unknown) {
      const refused = store.change(setting(store.get().plan, place, path, value, label.toLowerCase(), true));
      setError(refused ? refused.message : null);
    },
  };
}
