"use client";

// The lines of a transcript as a feed. Short ones stand in the document whole, so that the browser's own find and print see them; of long
// ones a screenful is drawn at a time.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { formatNumber } from "@/components/ui/format";
import { useShortcut } from "@/components/ui/shortcuts";
import type { TranscriptLine as Line } from "@/server/contract/answers/transcript";
import { isContinued, isOf, newSince } from "./lines";
import { TranscriptLine } from "./transcript-line";

export type TranscriptListProps = {
  projectId: string;
  lines: readonly Line[];
  total: number;
  /** Lines of the run before the first of these. */
  before: number;
  chosen: number;
  turn: string | null;
  /** That were searched for. */
  words: string;
  profileOf: (agentId: string) => string | undefined;
  hasTimes: boolean;
  onChoose: (line: Line) => void;
  /** The way to what comes before. */
  head: ReactNode;
  /** Where the list ends, or goes on. */
  foot: ReactNode;
  hasMore: boolean;
  /** Lines of the last question, while the next one is looked for. */
  isStale: boolean;
  onEnd: () => void;
};

/** Up to here all of it is in the document. */
const PLAIN_MAX = 300;
const group = "Transcript";

export function TranscriptList(props: TranscriptListProps) {
  const { lines, total, before, chosen, turn, onChoose, head, foot, hasMore, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isPlain = lines.length <= PLAIN_MAX;
  const virtual = useVirtualizer({
    count: isPlain ? 0 : lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(lines[index]),
    getItemKey: (index) => lines[index]?.line_id ?? index,
    overscan: 8,
  });
  const elementAt = useCallback(
    (index: number) =>
      scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(lines[index]?.line_id ?? "")}"]`) ?? null,
    [lines],
  );
  const reveal = useCallback(
    (index: number, block: "center" | "nearest") => {
      const element = isPlain ? elementAt(index) : null;
      // Centred, the head of a long one would be out of sight: who said it.
      const isTall = (element?.clientHeight ?? 0) > (scroller.current?.clientHeight ?? 0) / 2;
      if (element) element.scrollIntoView({ block: isTall ? "start" : block });
      else if (!isPlain) virtual.scrollToIndex(index, { align: block === "center" ? "start" : "auto" });
    },
    [isPlain, elementAt, virtual],
  );

  // Only a new choice moves the list; what comes later leaves it where the reader has put it.
  const chosenId = lines[chosen]?.line_id;
  const shown = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (chosenId === undefined || shown.current === chosenId) return;
    shown.current = chosenId;
    reveal(chosen, "center");
  }, [chosenId, chosen, reveal]);

  // What is clicked is in view: centred, it would leave the place under the pointer.
  const chooseHere = useCallback(
    (line: Line) => {
      shown.current = line.line_id;
      onChoose(line);
    },
    [onChoose],
  );
  const step = useEffectEvent((by: 1 | -1) => {
    const next = chosen < 0 ? 0 : Math.min(lines.length - 1, Math.max(0, chosen + by));
    const line = lines[next];
    if (line === undefined) return;
    shown.current = line.line_id;
    reveal(next, "nearest");
    // A line that was out of view is in the document a frame later.
    requestAnimationFrame(() => requestAnimationFrame(() => elementAt(next)?.focus({ preventScroll: isPlain })));
    onChoose(line);
  });
  useShortcut(["j", "down"], "Next line", () => step(1), { group });
  useShortcut(["k", "up"], "Previous line", () => step(-1), { group });

  // Of other words the end is another one: what was found is not new.
  const { fresh, isAtEnd, toEnd } = useFresh(scroller, lines, hasMore || props.isStale, props.words);
  const goOn = useEffectEvent(onEnd);
  useEffect(() => {
    if (isAtEnd && hasMore) goOn();
  }, [isAtEnd, hasMore]);

  const row = (line: Line, index: number) => (
    <TranscriptLine
      key={line.line_id}
      projectId={props.projectId}
      line={line}
      index={before + index}
      total={total}
      words={props.words}
      profileOf={props.profileOf}
      hasTimes={props.hasTimes}
      isChosen={index === chosen}
      isLit={turn !== null && isOf(line, turn)}
      isContinued={isContinued(line, lines[index - 1])}
      isStop={index === Math.max(0, chosen)}
      onChoose={chooseHere}
    />
  );
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div ref={scroller} className="transcript-lines">
        {head}
        <div role="feed" aria-label="Lines of the transcript" aria-busy={hasMore && isAtEnd}>
          {isPlain ? (
            lines.map(row)
          ) : (
            <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
              {virtual.getVirtualItems().map((item) => {
                const line = lines[item.index];
                return line === undefined ? null : (
                  <div
                    key={item.key}
                    ref={virtual.measureElement}
                    data-index={item.index}
                    className="absolute top-0 left-0 w-full"
                    style={{ transform: `translateY(${item.start}px)` }}
                  >
                    {row(line, item.index)}
                  </div>
                );
              })}
            </div>
          )}
        </div>
        {foot}
      </div>
      {fresh > 0 ? (
        <button type="button" className="transcript-new" onClick={toEnd}>
          {formatNumber(fresh)} new
        </button>
      ) : null}
    </div>
  );
}

const NEAR_END_PX = 48;

/** What came while the reader was elsewhere; the list itself stays where it is. */
function useFresh(
  scroller: { current: HTMLDivElement | null },
  lines: readonly Line[],
  hasMore: boolean,
  words: string,
) {
  const [isAtEnd, setIsAtEnd] = useState(false);
  const [seen, setSeen] = useState<string | null>(null);
  const [counted, setCounted] = useState(words);
  if (counted !== words) {
    setCounted(words);
    setSeen(null);
  }
  const last = lines.at(-1)?.line_id ?? null;
  // Counted from when the end of the run is known.
  if (counted === words && seen === null && !hasMore && last !== null) setSeen(last);
  const look = useEffectEvent(() => {
    const element = scroller.current;
    if (element === null) return;
    const isNow = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    setIsAtEnd(isNow);
    if (isNow && !hasMore) setSeen(last);
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => look();
    onScroll();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [scroller]);
  // A list that does not fill its frame is at its end without a scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again when there are more lines.
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && element.scrollHeight <= element.clientHeight) look();
  }, [lines.length, scroller]);
  const toEnd = () => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    setSeen(last);
  };
  return { fresh: newSince(lines, seen), isAtEnd, toEnd };
}

const LINE_PX = 19;

/** Before it is measured. */
function heightOf(line: Line | undefined): number {
  if (line === undefined || line.kind === "called" || line.kind === "result") return 32;
  const letters = Math.min(1_200, line.letters);
  return 58 + LINE_PX * Math.max(1, Math.ceil(letters / 92));
}
