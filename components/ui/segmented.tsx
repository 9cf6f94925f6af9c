"use client";

// A choice of two to four, all of them visible.
import { ToggleGroup as Radix } from "radix-ui";
import { Icon, type IconName } from "./icon";

export type SegmentedProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: string; icon?: IconName; isDisabled?: boolean }[];
};

export function Segmented<Value extends string>({ label, value, onChange, choices }: SegmentedProps<Value>) {
  return (
    <Radix.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        // Radix answers "" when the chosen one is pressed again; one is always chosen here.
        const choice = choices.find((candidate) => candidate.value === next);
        if (choice !== undefined) onChange(choice.value);
      }}
      className="segmented"
    >
      {choices.map((choice) => (
        <Radix.Item key={choice.value} value={choice.value} disabled={choice.isDisabled}>
          {choice.icon === undefined ? null : <Icon name={choice.icon} size={14} />}
          {choice.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
