"use client";

// A text field with line numbers, since refusals speak of lines. Tab leaves it, as it leaves every field.
import { type Ref, useRef } from "react";
import { useFieldIds } from "@/components/ui/field";
import { lineRange } from "./line-range";
import "./yaml-editor.css";

export type LineMark = "error" | "warning";

export type YamlEditorProps = {
  ref: Ref<HTMLTextAreaElement>;
  value: string;
  /** By line, from 1. */
  marks: ReadonlyMap<number, LineMark>;
  isFirst: boolean;
  onChange: (value: string) => void;
  onSave: () => void;
};

export function YamlEditor({ ref, value, marks, isFirst, onChange, onSave }: YamlEditorProps) {
  const ids = useFieldIds();
  const gutter = useRef<HTMLDivElement>(null);
  const count = value.split("\n").length;
  return (
    <div className="yaml-editor">
      <div ref={gutter} className="yaml-gutter" aria-hidden>
        {Array.from({ length: count }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line number is its place.
          <span key={line} data-mark={marks.get(line + 1)}>
            {line + 1}
          </span>
        ))}
      </div>
      <textarea
        {...ids}
        ref={ref}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        data-autofocus={isFirst || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            onSave();
          }
        }}
      />
    </div>
  );
}

/** Selects a line and brings it into view. */
export function showLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  const { start, end } = lineRange(field.value, line);
  field.focus();
  field.setSelectionRange(start, end);
  field.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(field).lineHeight));
}
