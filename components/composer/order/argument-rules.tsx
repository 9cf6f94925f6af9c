"use client";

// What else is handed over with the instruction: each argument becomes a card of its type.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { TextInput } from "@/components/ui/text-input";
import type { Handover } from "@/server/contract/pack";
import type { Rider } from "@/server/contract/plan/plan";
import { TextField } from "../inspector/fields";
import { withRules } from "./handover-edits";

export type ArgumentRulesProps = {
  place: string;
  rider: Rider;
  handover: Handover;
  onHandover: (handover: Handover, words: string) => void;
};

export function ArgumentRules({ place, rider, handover, onHandover }: ArgumentRulesProps) {
  const { pack_arguments: rules } = handover.context_packing_config;
  const [name, setName] = useState("");
  const own = rules.filter(({ arg_key }) => arg_key !== "instruction");
  const key = name.trim();
  const isTaken = rules.some(({ arg_key }) => arg_key === key);
  return (
    <Section title="Arguments" note={own.length === 0 ? "none beside the instruction" : undefined}>
      {own.map((rule) => (
        <div key={rule.arg_key} className="mb-2 flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <TextField
              place={place}
              path={`/arguments/${pointer(rule.arg_key)}`}
              label={`${rule.arg_key}, as ${rule.as_card_type}`}
              name={`argument ${rule.arg_key}`}
              value={textOf(rider.arguments[rule.arg_key])}
              rows={2}
              maxLength={100_000}
            />
          </div>
          <IconButton
            icon="x"
            size="sm"
            iconSize={13}
            label={`Do not hand over ${rule.arg_key}`}
            onClick={() =>
              onHandover(
                withRules(
                  handover,
                  rules.filter((one) => one !== rule),
                ),
                `without ${rule.arg_key}`,
              )
            }
          />
        </div>
      ))}
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (key === "" || isTaken) return;
          const rule = { arg_key: key, as_card_type: "task.context", card_metadata: {} };
          // Before the instruction, which stays the last thing that is said.
          onHandover(withRules(handover, [...own, rule, ...rules.filter((one) => !own.includes(one))]), `with ${key}`);
          setName("");
        }}
      >
        <Field
          isQuiet
          label="Another argument"
          className="flex-1"
          error={isTaken ? `${key} is handed over already.` : null}
        >
          <TextInput
            value={name}
            maxLength={64}
            placeholder="result_format"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button type="submit" size="form" aria-disabled={key === "" || isTaken}>
          Add
        </Button>
      </form>
    </Section>
  );
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === "string" ? value : JSON.stringify(value);

/** As a JSON pointer writes it. */
const pointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
