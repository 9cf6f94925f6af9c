"use client";

// A choice of two to four, all of them visible. One stop of the Tab key; the arrows go from one to the next and Space chooses.
// The library's group is 8 kB, and stood in the way of the first picture of the composer.
import type { KeyboardEvent } from "react";
import { Icon, type IconName } from "./icon";

export type SegmentedProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: string; icon?: IconName; isDisabled?: boolean }[];
};

export function Segmented<Value extends string>({ label, value, onChange, choices }: SegmentedProps<Value>) {
  const open = choices.filter(({ isDisabled }) => !isDisabled);
  const stop = (open.find((choice) => choice.value === value) ?? open[0])?.value;
  return (
    <div role="radiogroup" aria-label={label} className="segmented" onKeyDown={walk}>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio button chooses as soon as an arrow comes to it
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          data-state={choice.value === value ? "on" : "off"}
          disabled={choice.isDisabled}
          tabIndex={choice.value === stop ? 0 : -1}
          onClick={() => {
            if (choice.value !== value) onChange(choice.value);
          }}
        >
          {choice.icon === undefined ? null : <Icon name={choice.icon} size={14} />}
          {choice.label}
        </button>
      ))}
    </div>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button:not(:disabled)")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const to = step === "first" ? 0 : step === "last" ? -1 : (at + step) % buttons.length;
  buttons.at(to)?.focus();
  event.preventDefault();
}

const steps: Record<string, 1 | -1 | "first" | "last"> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: "first",
  PageUp: "first",
  End: "last",
  PageDown: "last",
};
