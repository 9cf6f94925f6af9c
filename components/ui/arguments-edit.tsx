"use client";

// Arguments of a call as JSON that may be changed, with what is wrong with it and what was changed.
import { useId } from "react";
import { Button } from "./button";
import { lineDiff, withContext } from "./line-diff";
import "./arguments-edit.css";

export type ArgumentsEditProps = {
  /** As they were. */
  before: unknown;
  text: string;
  onChange: (text: string) => void;
  /** What the server said of them. */
  error?: string | null;
  isDisabled?: boolean;
};

export const argumentsText = (value: unknown): string => JSON.stringify(value, null, 2) ?? "null";

/** A tool is called with an object, and with nothing else. */
export function readArguments(text: string): { value: Record<string, unknown> } | { error: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { value: value as Record<string, unknown> };
    return { error: "Arguments are a JSON object: { … }" };
  } catch (error) {
    return { error: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export function ArgumentsEdit({ before, text, onChange, error, isDisabled }: ArgumentsEditProps) {
  const id = useId();
  const original = argumentsText(before);
  const read = readArguments(text);
  const wrong = "error" in read ? read.error : error;
  const isChanged = text !== original;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-6 items-center gap-2">
        <label htmlFor={id} className="font-semibold">
          Arguments
        </label>
        <span className="text-ink-3 text-note">{isChanged ? "changed by you" : "as the agent wrote them"}</span>
        <span className="flex-1" />
        {isChanged && !isDisabled ? (
          <Button size="sm" variant="ghost" icon="undo" onClick={() => onChange(original)}>
            Reset
          </Button>
        ) : null}
      </div>
      <textarea
        dir="auto"
        id={id}
        value={text}
        rows={Math.min(16, Math.max(3, text.split("\n").length))}
        spellCheck={false}
        autoComplete="off"
        disabled={isDisabled}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className="field-box arguments-box"
      />
      <p id={`${id}-error`} role={wrong ? "alert" : undefined} className="min-h-4 text-note text-st-failed">
        {wrong}
      </p>
      {isChanged && "value" in read ? <ArgumentsDiff before={before} after={read.value} /> : null}
    </div>
  );
}

export function ArgumentsDiff({ before, after }: { before: unknown; after: unknown }) {
  const diff = lineDiff(argumentsText(before), argumentsText(after));
  if (diff.every((line) => line.kind === "same"))
    return <p className="text-ink-3 text-note">Same arguments, written differently.</p>;
  return (
    <figure className="arguments-diff">
      <figcaption className="sr-only">What is changed</figcaption>
      {withContext(diff).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the diff.
        <code key={at} data-kind={line?.kind ?? "gap"}>
          <span aria-hidden>{line === null ? "⋯" : signs[line.kind]}</span>
          {line === null || line.kind === "same" ? null : <span className="sr-only">{line.kind}: </span>}
          {line?.text}
        </code>
      ))}
    </figure>
  );
}

const signs = { same: " ", removed: "−", added: "+" };
