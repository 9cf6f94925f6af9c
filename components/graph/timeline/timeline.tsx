"use client";

// The run as time: an equal way to every turn, for those who read lists better than plans, and the way back to any moment of it.
import { useQueryStates } from "nuqs";
import { type KeyboardEvent, startTransition, useEffect, useRef, useState } from "react";
import { yardParams } from "../yard-url";
import { TimelineParts } from "./timeline-parts";
import { rangeOf } from "./timeline-range";
import "./timeline.css";

/** The place first, what is in it once the plan is painted: of 5,000 turns it took a sixteenth of the time until then. */
export function Timeline() {
  const frameRef = useRef<HTMLElement>(null);
  const width = useWidth(frameRef);
  const [{ from, to }, setParams] = useQueryStates(yardParams);
  const [isUsed, setIsUsed] = useState(false);

  /** Out by one level: the part first, then the moment. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || rangeOf(from, to) === null || event.defaultPrevented) return;
    event.preventDefault();
    void setParams({ from: null, to: null });
    // Its ends go with the part: a hand on keys goes on at the moment shown.
    const isOnEnd = event.target instanceof HTMLElement && event.target.closest(".timeline-overview") !== null;
    if (isOnEnd) frameRef.current?.querySelector<HTMLElement>(".timeline-flag")?.focus();
  }

  return (
    <section
      ref={frameRef}
      className="yard-timeline"
      aria-label="Timeline"
      aria-busy={width === 0}
      onKeyDown={onKeyDown}
      onFocus={() => setIsUsed(true)}
      onPointerDown={() => setIsUsed(true)}
    >
      {width === 0 ? null : <TimelineParts width={width} isUsed={isUsed} />}
    </section>
  );
}

function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => startTransition(() => setWidth(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
