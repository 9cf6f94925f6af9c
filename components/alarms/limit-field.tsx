"use client";

// One limit: its number with the unit, what it means, and the way back to the default. What is wrong is said at the field, once
// it was left or saved.
import { useState } from "react";
import { alarmNames } from "@/components/domain/alarm-words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { TextInput } from "@/components/ui/text-input";
import type { AlarmLimits } from "@/server/contract/alarm";
import { type Limit, limitText, readLimit } from "./limits-form";

export type LimitFieldProps = {
  limit: Limit;
  text: string;
  defaults: AlarmLimits;
  /** A save was tried. */
  isStrict: boolean;
  onChange: (text: string) => void;
};

export function LimitField({ limit, text, defaults, isStrict, onChange }: LimitFieldProps) {
  const [wasLeft, setWasLeft] = useState(false);
  const read = readLimit(limit, text);
  const byDefault = limitText(limit, defaults);
  const isDefault = "value" in read && read.value === defaults[limit.name];
  const { label, unit, meaning, rule } = limit;
  return (
    <div className="limit">
      <Field
        isQuiet
        label={label}
        aside={`default ${unit === "%" ? `${byDefault}%` : formatCount(Number(byDefault), unit.replace(/s$/, ""))}`}
        hint={meaning}
        error={(wasLeft || isStrict) && "error" in read ? read.error : null}
        className="min-w-0 flex-1"
      >
        <span className="limit-number">
          <TextInput
            name={limit.name}
            inputMode="decimal"
            value={text}
            className="w-32 text-right"
            onChange={(event) => onChange(event.target.value)}
            onBlur={() => setWasLeft(true)}
          />
          <span aria-hidden className="text-ink-2">
            {unit}
          </span>
          <Button
            size="sm"
            variant="ghost"
            className={isDefault ? "invisible" : undefined}
            aria-label={`Reset to default: ${alarmNames[rule]}, ${label}`}
            onClick={() => onChange(byDefault)}
          >
            Reset
          </Button>
        </span>
      </Field>
    </div>
  );
}
