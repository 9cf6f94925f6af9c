"use client";

// One of a list that is too long to lie open. The browser's own: it is a wheel on a phone, it takes typed letters,
// and it does not hide the page from a screen reader while it is open, as the drawn one did.
import { cn } from "./cn";
import { useFieldIds } from "./field";

export type SelectOption<Value extends string> = { value: Value; label: string; detail?: string; isDisabled?: boolean };

export type SelectProps<Value extends string> = {
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Shown while nothing is chosen; it cannot be chosen itself. */
  placeholder?: string;
  /** Needed where no Field stands around it. */
  label?: string;
  isDisabled?: boolean;
  className?: string;
  /** For the keys that lead to it. */
  field?: string;
};

export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder = "Choose",
  label,
  isDisabled = false,
  className,
  field,
}: SelectProps<Value>) {
  const ids = useFieldIds();
  return (
    <select
      {...ids}
      aria-label={label}
      data-field={field}
      disabled={isDisabled}
      value={value ?? ""}
      data-placeholder={value === null || undefined}
      onChange={(event) => {
        const option = options.find((candidate) => candidate.value === event.target.value);
        if (option !== undefined) onChange(option.value);
      }}
      className={cn("field-box select-box", className)}
    >
      {value === null ? (
        <option value="" disabled>
          {placeholder}
        </option>
      ) : null}
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled}>
          {option.detail === undefined ? option.label : `${option.label} (${option.detail})`}
        </option>
      ))}
    </select>
  );
}
