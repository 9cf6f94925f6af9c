"use client";

// Which box to compare with: those that stand where this one stands, or any by its id.
import { useState } from "react";
import { boxName } from "@/components/domain/box-diff-words";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { BoxPartners } from "@/server/contract/box-partners";
import { partnerWords } from "./diff-words";

export type PartnerFieldProps = {
  /** Absent while they are on their way. */
  partners: BoxPartners["partners"] | undefined;
  error: string | null;
  value: string | null;
  onChange: (boxId: string) => void;
};

const OTHER = "other";

export function PartnerField({ partners, error, value, onChange }: PartnerFieldProps) {
  const [isTyping, setIsTyping] = useState(false);
  const [typed, setTyped] = useState("");
  const options = (partners ?? []).flatMap(({ why, boxes }) =>
    boxes.map((box) => ({ value: box.box_id, label: `${partnerWords[why]}: ${boxName(box)}` })),
  );
  const isListed = options.some((option) => option.value === value);
  return (
    <div className="flex min-w-0 flex-wrap items-end gap-2 max-sm:w-full">
      <Field isQuiet label="Compare with" error={error} className="w-96 min-w-0 max-w-full">
        <Select
          value={isTyping ? OTHER : (value ?? OTHER)}
          isDisabled={partners === undefined && error === null}
          options={[
            ...options,
            ...(value !== null && !isListed ? [{ value, label: boxName({ box_id: value }) }] : []),
            { value: OTHER, label: partners === undefined && error === null ? "Loading" : "another box, by its id" },
          ]}
          onChange={(next) => {
            setIsTyping(next === OTHER);
            if (next !== OTHER) onChange(next);
          }}
        />
      </Field>
      {isTyping || (value === null && partners !== undefined) ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() === "") return;
            setIsTyping(false);
            onChange(typed.trim());
          }}
        >
          <Field isQuiet label="Id of the box" className="w-72">
            <TextInput value={typed} placeholder="box_…" onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </form>
      ) : null}
    </div>
  );
}
