"use client";

// A node of a plan is held: a person lets it start, or skips it and says why.
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Fault } from "./decide-forms";
import type { Deciding } from "./use-decide";

type HoldFormProps = { deciding: Deciding /** Somebody has decided it. */; isOver: boolean };

export function HoldForm({ deciding, isOver }: HoldFormProps) {
  const id = useId();
  const [reason, setReason] = useState("");
  const [isSkipping, setIsSkipping] = useState(false);
  const isBusy = deciding.isPending || isOver;
  const isEmpty = reason.trim() === "";
  if (!isSkipping)
    return (
      <div className="flex flex-col gap-2.5">
        <Fault error={deciding.error} />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="form"
            icon="check"
            aria-disabled={isBusy}
            onClick={() => (isBusy ? undefined : deciding.decide({ action: "approve" }))}
          >
            {deciding.isPending ? "Starting" : "Start it"}
          </Button>
          <Button size="form" variant="ghost" aria-disabled={isBusy} onClick={() => setIsSkipping(true)}>
            Skip it
          </Button>
          <span className="text-ink-3 text-note">Nothing has been packed yet.</span>
        </div>
      </div>
    );
  return (
    <form
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !isBusy) deciding.decide({ action: "deny", reason });
      }}
    >
      <div className="flex flex-col gap-1">
        <label htmlFor={id} className="font-semibold">
          Why it is skipped
        </label>
        <textarea
          dir="auto"
          id={id}
          rows={2}
          value={reason}
          readOnly={isOver}
          onChange={(event) => setReason(event.target.value)}
          className="field-box human-request-text"
        />
      </div>
      <Fault error={deciding.error} />
      <div className="flex items-center gap-2">
        <Button type="submit" size="form" aria-disabled={isEmpty || isBusy}>
          {deciding.isPending ? "Skipping" : "Skip it"}
        </Button>
        <Button size="form" variant="ghost" onClick={() => setIsSkipping(false)}>
          Back
        </Button>
      </div>
    </form>
  );
}
