"use client";

// A ring around what a step of the tour points at. It follows the element while the view moves and hides nothing.
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";

/** Around what stands free; the lines of the inspector leave no room. */
const PAD = 5;
/** What scrolls or pans: an element outside of it is not seen, and its ring would stand over something else. */
const FRAMES = ".yard-canvas, .phone-yard, aside";

export function TourRing({ targets }: { targets: readonly string[] }) {
  const layer = useRef<HTMLDivElement>(null);
  const key = targets.join("\n");
  useEffect(() => {
    const selectors = key === "" ? [] : key.split("\n");
    let frame = 0;
    const draw = () => {
      const rings = layer.current?.children ?? [];
      for (const [index, selector] of selectors.entries()) {
        const ring = rings[index];
        if (ring instanceof HTMLElement) place(ring, document.querySelector(selector));
      }
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return createPortal(
    <div ref={layer} aria-hidden>
      {targets.map((target) => (
        <div key={target} className="tour-ring" data-target={target} hidden />
      ))}
    </div>,
    document.body,
  );
}

function place(ring: HTMLElement, element: Element | null): void {
  const clip = element?.closest(FRAMES)?.getBoundingClientRect();
  if (!element || !clip) {
    ring.hidden = true;
    return;
  }
  const box = element.getBoundingClientRect();
  const pad = element.matches(FRAMES) || element.closest("aside") !== null ? 0 : PAD;
  const left = Math.max(box.left - pad, clip.left + 2);
  const top = Math.max(box.top - pad, clip.top + 2);
  const width = Math.min(box.right + pad, clip.right - 2) - left;
  const height = Math.min(box.bottom + pad, clip.bottom - 2) - top;
  ring.hidden = width <= 0 || height <= 0;
  const style = `translate:${left}px ${top}px;width:${width}px;height:${height}px`;
  if (ring.dataset.place === style) return;
  ring.dataset.place = style;
  ring.style.cssText = style;
}
