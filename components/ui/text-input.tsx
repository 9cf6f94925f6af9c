"use client";

// One line of text, several lines of text, and the line that searches.
import { type InputHTMLAttributes, type Ref, useRef } from "react";
import { cn } from "./cn";
import { useFieldIds } from "./field";
import { Icon } from "./icon";
import { Kbd } from "./kbd";
import { useFilterKey } from "./use-filter-key";

export type TextInputProps = InputHTMLAttributes<HTMLInputElement> & { isMono?: boolean; ref?: Ref<HTMLInputElement> };

export function TextInput({ isMono = false, className, type = "text", ...rest }: TextInputProps) {
  const ids = useFieldIds();
  return (
    <input
      dir="auto"
      type={type}
      autoComplete="off"
      spellCheck={!isMono}
      {...ids}
      {...rest}
      className={cn("field-box", isMono && "font-mono", className)}
    />
  );
}

export type SearchInputProps = Omit<TextInputProps, "type" | "onChange" | "value" | "ref"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** `/` goes to it from anywhere on its page, or in its dialog. */
export function SearchInput({ label, value, onChange, className, ...rest }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useFilterKey(() => input.current);
  return (
    <div className={cn("search-field relative min-w-0", className)}>
      <Icon
        name="search"
        size={14}
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-ink-3"
      />
      <input
        dir="auto"
        type="search"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        {...rest}
        ref={input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // The first Escape empties the field; the second may leave it.
          if (event.key === "Escape" && value !== "") {
            event.preventDefault();
            event.stopPropagation();
            onChange("");
          }
          rest.onKeyDown?.(event);
        }}
        className="field-box search-box"
      />
      {value === "" ? <Kbd keys="/" className="search-key" /> : null}
    </div>
  );
}
