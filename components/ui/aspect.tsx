// The nine aspects a turn can show. Shape first, hue second: each is told apart without colour.
import type { ReactNode } from "react";
import { cn } from "./cn";
import { Sign } from "./sign";
import type { AspectStatus } from "./sign-words";

export type AspectProps = {
  status: AspectStatus;
  size?: number;
  className?: string;
  /** What the accessibility tree says; defaults to the status. `null` where the same word stands beside it. */
  label?: string | null;
};

/** One colour class per status, for text and lines that speak of the same state. */
export const aspectInk: Record<AspectStatus, string> = {
  queued: "text-st-queued",
  dispatched: "text-st-dispatched",
  running: "text-st-running",
  suspended: "text-st-suspended",
  success: "text-st-success",
  partial: "text-st-partial",
  failed: "text-st-failed",
  timeout: "text-st-timeout",
  canceled: "text-st-canceled",
};

export function Aspect({ status, size = 14, className, label = status }: AspectProps) {
  return (
    <Sign size={size} className={cn(aspectInk[status], className)} label={label}>
      {shapes[status]}
    </Sign>
  );
}

const shapes: Record<AspectStatus, ReactNode> = {
  queued: (
    <>
      <circle cx="8" cy="8" r="5.4" strokeDasharray="1.6 2.64" strokeWidth={1.7} />
    </>
  ),
  dispatched: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M6.7 5.6 9.4 8l-2.7 2.4" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="5.6" opacity={0.32} strokeWidth={2} />
      <path className="aspect-arc" d="M8 2.4A5.6 5.6 0 1 1 2.4 8" strokeWidth={2.1} />
      <circle cx="8" cy="8" r="2" fill="currentColor" stroke="none" />
    </>
  ),
  suspended: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M6.5 6v4M9.5 6v4" strokeWidth={1.7} />
    </>
  ),
  success: (
    <>
      <circle cx="8" cy="8" r="6.4" fill="currentColor" stroke="none" />
      <path d="m5.3 8.2 1.9 1.9 3.6-4" className="aspect-knock" strokeWidth={1.8} />
    </>
  ),
  partial: (
    <>
      <path d="M8 1.5 14.5 8 8 14.5 1.5 8z" strokeWidth={1.5} />
      <path d="M8 1.5V14.5L1.5 8z" fill="currentColor" stroke="none" />
    </>
  ),
  failed: (
    <>
      <path d="M5.3 1.4h5.4l3.9 3.9v5.4l-3.9 3.9H5.3l-3.9-3.9V5.3z" fill="currentColor" stroke="none" />
      <path d="m5.7 5.7 4.6 4.6M10.3 5.7l-4.6 4.6" className="aspect-knock" strokeWidth={1.8} />
    </>
  ),
  timeout: (
    <>
      <path d="M8 1.1 14.9 8 8 14.9 1.1 8z" fill="currentColor" stroke="none" />
      <path d="M8 4.9V8.3l2 1.4" className="aspect-knock" strokeWidth={1.6} />
    </>
  ),
  canceled: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="m4.2 11.8 7.6-7.6" />
    </>
  ),
};
