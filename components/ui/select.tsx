"use client";

// One of a list that is too long to lie open.
import { Select as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { useFieldIds } from "./field";
import { Icon } from "./icon";

export type SelectOption<Value extends string> = {
  value: Value;
  label: string;
  icon?: ReactNode;
  detail?: string;
  isDisabled?: boolean;
};

export type SelectProps<Value extends string> = {
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  placeholder?: string;
  /** Needed where no Field stands around it. */
  label?: string;
  isDisabled?: boolean;
  className?: string;
};

export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder = "Choose",
  label,
  isDisabled = false,
  className,
}: SelectProps<Value>) {
  const ids = useFieldIds();
  return (
    <Radix.Root
      value={value ?? ""}
      disabled={isDisabled}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option !== undefined) onChange(option.value);
      }}
    >
      <Radix.Trigger
        {...ids}
        aria-label={label}
        className={cn("field-box flex items-center gap-2 data-placeholder:text-ink-3", className)}
      >
        <span className="min-w-0 flex-1 truncate text-left">
          <Radix.Value placeholder={placeholder} />
        </span>
        <Radix.Icon className="text-ink-3">
          <Icon name="down" size={14} />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="menu z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} disabled={option.isDisabled} className="menu-item">
                <Radix.ItemText>
                  <span className="flex items-center gap-2">
                    {option.icon}
                    {option.label}
                  </span>
                </Radix.ItemText>
                <span className="flex-1" />
                {option.detail === undefined ? null : <span className="text-ink-3">{option.detail}</span>}
                <Radix.ItemIndicator>
                  <Icon name="check" size={14} />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
