"use client";

// The definition of done: a line for each condition. Enter adds the next, Backspace in an empty one takes it away.
import { type KeyboardEvent, useRef } from "react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { TextInput } from "@/components/ui/text-input";

export type DoneRowsProps = { rows: readonly string[]; error?: string; onChange: (rows: readonly string[]) => void };

const ROWS_MAX = 100;

export function DoneRows({ rows, error, onChange }: DoneRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const focus = (at: number) =>
    // After the row is there.
    requestAnimationFrame(() => list.current?.querySelectorAll("input")[at]?.focus());
  const add = (after: number) => {
    if (rows.length >= ROWS_MAX) return;
    onChange(rows.toSpliced(after + 1, 0, ""));
    focus(after + 1);
  };
  const remove = (at: number) => {
    const left = rows.toSpliced(at, 1);
    onChange(left.length === 0 ? [""] : left);
    focus(Math.max(0, at - 1));
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      add(at);
    } else if (event.key === "Backspace" && rows[at] === "" && rows.length > 1) {
      event.preventDefault();
      remove(at);
    }
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-semibold">Done when</legend>
      <ol ref={list} className="flex flex-col gap-1.5">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place
          <li key={at} className="flex items-center gap-2">
            <span aria-hidden className="cpack-mark">
              {at + 1}
            </span>
            <TextInput
              aria-label={`Condition ${at + 1}`}
              aria-invalid={error !== undefined && at === 0 ? true : undefined}
              className="flex-1"
              value={row}
              placeholder={at === 0 ? "All tests pass" : undefined}
              onChange={(event) => onChange(rows.with(at, event.target.value))}
              onKeyDown={(event) => onKey(event, at)}
            />
            <IconButton
              icon="x"
              label={`Remove condition ${at + 1}`}
              size="sm"
              iconSize={13}
              disabled={rows.length === 1 && row === ""}
              onClick={() => remove(at)}
            />
          </li>
        ))}
      </ol>
      {error === undefined ? null : (
        <p role="alert" className="text-note text-st-failed">
          {error}
        </p>
      )}
      <div>
        <Button size="sm" icon="plus" disabled={rows.length >= ROWS_MAX} onClick={() => add(rows.length - 1)}>
          Add a condition
        </Button>
      </div>
    </fieldset>
  );
}
