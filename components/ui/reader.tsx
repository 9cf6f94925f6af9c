"use client";

// The frame of everything long that is read: a bar with search and copy, the lines below it.
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { CopyButton } from "./copy-button";
import { formatNumber } from "./format";
import { IconButton } from "./icon-button";
import { LineList } from "./line-list";
import { findInLines, type ReaderLine } from "./reader-lines";

export type ReaderProps = {
  label: string;
  /** Left end of the bar: a choice of views. */
  lead?: ReactNode;
  /** Right, before the buttons: "est. 2,131, reported 2,118". */
  note?: ReactNode;
  copyText: () => string;
  /** The lines to show; while one searches nothing may be folded away, or it would not be found. */
  linesFor: (isSearching: boolean) => readonly ReaderLine[];
  onFold?: (path: string) => void;
  maxHeight?: string;
};

export function Reader({ label, lead, note, copyText, linesFor, onFold, maxHeight }: ReaderProps) {
  const [words, setWords] = useState<string | null>(null);
  const [position, setPosition] = useState(0);
  const wanted = useDeferredValue(words ?? "");
  const isSearching = wanted !== "";
  const lines = useMemo(() => linesFor(isSearching), [linesFor, isSearching]);
  const hits = useMemo(() => findInLines(lines, wanted), [lines, wanted]);
  const at = hits.length === 0 ? 0 : ((position % hits.length) + hits.length) % hits.length;
  return (
    <div className="flex min-h-0 flex-col">
      <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-2 gap-y-1 py-1">
        {lead}
        <span className="flex-1" />
        {note === undefined ? null : <span className="text-ink-3">{note}</span>}
        {words === null ? (
          <IconButton icon="search" label="Search in it" iconSize={15} onClick={() => setWords("")} />
        ) : (
          <SearchBar
            words={words}
            onChange={(next) => {
              setWords(next);
              setPosition(0);
            }}
            onStep={(step) => setPosition(at + step)}
            onClose={() => setWords(null)}
            count={isSearching ? `${hits.length === 0 ? 0 : at + 1} / ${formatNumber(hits.length)}` : ""}
          />
        )}
        <CopyButton text={copyText} label="Copy all of it" />
      </div>
      <LineList
        label={label}
        lines={lines}
        words={wanted}
        current={hits[at] ?? null}
        onFold={isSearching ? undefined : onFold}
        maxHeight={maxHeight}
      />
    </div>
  );
}

type SearchBarProps = {
  words: string;
  count: string;
  onChange: (words: string) => void;
  onStep: (step: 1 | -1) => void;
  onClose: () => void;
};

function SearchBar({ words, count, onChange, onStep, onClose }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <search className="flex items-center gap-1">
      <input
        ref={input}
        aria-label="Search in it"
        value={words}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") {
            // Escape leaves the search and not the dialog or page around it.
            event.preventDefault();
            event.stopPropagation();
            onClose();
          }
        }}
        className="field-box h-7 min-h-7 w-40"
      />
      <output className="min-w-12 text-right text-ink-3 text-note">{count}</output>
      <IconButton icon="up" label="Previous hit" size="sm" iconSize={14} onClick={() => onStep(-1)} />
      <IconButton icon="down" label="Next hit" size="sm" iconSize={14} onClick={() => onStep(1)} />
      <IconButton icon="x" label="Close the search" size="sm" iconSize={14} onClick={onClose} />
    </search>
  );
}
