"use client";

// Numbered lines that wrap, drawn a screenful at a time once there are many of them.
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useRef } from "react";
import { cn } from "./cn";
import { Icon } from "./icon";
import { type LineTone, lineText, markHits, type ReaderLine, rowLettersMax, splitRedacted } from "./reader-lines";

export type LineListProps = {
  label: string;
  lines: readonly ReaderLine[];
  words: string;
  /** Row that the search stands on. */
  current: number | null;
  onFold?: (path: string) => void;
  /** Where the list may not grow with the page; by default it takes 70 % of the window at most. */
  maxHeight?: string;
};

/** Below this the browser's own find, select-all and print see everything. */
const plainLinesMax = 300;

export function LineList(props: LineListProps) {
  const gutter = `${Math.max(2, String(props.lines.at(-1)?.number ?? props.lines.length).length) + 1}ch`;
  return props.lines.length <= plainLinesMax ? (
    <PlainList {...props} gutter={gutter} />
  ) : (
    <VirtualList {...props} gutter={gutter} />
  );
}

function PlainList({ label, lines, words, current, onFold, maxHeight, gutter }: LineListProps & { gutter: string }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current !== null) box.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <section
      ref={box}
      aria-label={label}
      className={cn("reader", maxHeight !== undefined && "overflow-auto")}
      style={{ maxHeight }}
      {...(maxHeight === undefined ? {} : { tabIndex: 0 })}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the text.
        <Line key={index} line={line} words={words} isCurrent={index === current} gutter={gutter} onFold={onFold} />
      ))}
    </section>
  );
}

function VirtualList({
  label,
  lines,
  words,
  current,
  onFold,
  maxHeight = "70vh",
  gutter,
}: LineListProps & { gutter: string }) {
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => {
      const line = lines[index];
      const letters = line === undefined ? 0 : Math.min(rowLettersMax, lineText(line).length);
      return 19 * Math.max(1, Math.ceil(letters / 90));
    },
    overscan: 12,
  });
  useEffect(() => {
    if (current !== null) virtual.scrollToIndex(current, { align: "center" });
  }, [current, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section ref={box} aria-label={label} tabIndex={0} className="reader overflow-auto" style={{ maxHeight }}>
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Line line={line} words={words} isCurrent={item.index === current} gutter={gutter} onFold={onFold} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

type LineProps = {
  line: ReaderLine;
  words: string;
  isCurrent: boolean;
  gutter: string;
  onFold?: (path: string) => void;
};

const Line = memo(function Line({ line, words, isCurrent, gutter, onFold }: LineProps) {
  const { fold } = line;
  return (
    <div className="reader-line" data-current={isCurrent || undefined}>
      {/* Not text of the value: a selection must copy without it. */}
      <span aria-hidden className="reader-number" style={{ width: gutter }}>
        {line.number}
      </span>
      <span className="reader-fold">
        {fold === undefined || onFold === undefined ? null : (
          <button
            type="button"
            aria-expanded={fold.isOpen}
            aria-label={`${fold.isOpen ? "Fold" : "Unfold"} line ${line.number ?? ""}`}
            onClick={() => onFold(fold.path)}
          >
            <Icon name={fold.isOpen ? "down" : "right"} size={12} />
          </button>
        )}
      </span>
      <span
        dir="auto"
        className="reader-text"
        style={{ paddingLeft: `calc(${line.indent * 2}ch + 6ch)`, textIndent: "-6ch" }}
      >
        {markHits(line.spans, words).map((span, index) =>
          span.isHit ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place in the line.
            <mark key={index} className="hit">
              {span.text}
            </mark>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place in the line.
            <span key={index} className={tones[span.tone]}>
              <Words text={span.text} />
            </span>
          ),
        )}
      </span>
    </div>
  );
});

/** A placeholder of a redaction is drawn as what it is: a black bar with its kind. Copying still gives the placeholder. */
function Words({ text }: { text: string }) {
  const parts = splitRedacted(text);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text.
      <span key={index} className="redact" title={`[REDACTED:${part}]`}>
        REDACTED {part.replaceAll("_", " ")}
      </span>
    ),
  );
}

const tones: Record<LineTone, string> = {
  plain: "text-ink",
  key: "text-ink",
  string: "text-ink-2",
  number: "text-st-running",
  quiet: "text-ink-3",
};
