"use client";

// On, off, or some of what it stands for.
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { Icon } from "./icon";

export type CheckboxProps = {
  isChecked: boolean | "some";
  onChange: (isChecked: boolean) => void;
  isDisabled?: boolean;
  /** Text beside it; without it `label` names it. */
  children?: ReactNode;
  label?: string;
};

export function Checkbox({ isChecked, onChange, isDisabled = false, children, label }: CheckboxProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <Radix.Root
        id={id}
        aria-label={label}
        disabled={isDisabled}
        checked={isChecked === "some" ? "indeterminate" : isChecked}
        onCheckedChange={(next) => onChange(next === true)}
        className="grid size-3.75 flex-none place-items-center rounded-1 bg-well text-panel shadow-[inset_0_0_0_1.25px_var(--rail)] data-[state=checked]:bg-ink data-[state=indeterminate]:bg-ink disabled:opacity-50"
      >
        <Radix.Indicator>
          <Icon name={isChecked === "some" ? "minus" : "check"} size={12} />
        </Radix.Indicator>
      </Radix.Root>
      {children === undefined ? null : <label htmlFor={id}>{children}</label>}
    </span>
  );
}
