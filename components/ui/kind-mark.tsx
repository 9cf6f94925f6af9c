// How a turn was called for.
import type { ReactNode } from "react";
import { cn } from "./cn";

export type DelegationKind = "launch" | "new" | "reuse" | "clone" | "ask" | "fork" | "join";

export type KindMarkProps = {
  kind: DelegationKind;
  size?: number;
  className?: string;
  /** `null` where the same word stands beside the mark. */
  label?: string | null;
};

const kindLabels: Record<DelegationKind, string> = {
  launch: "launched by a person",
  new: "new agent",
  reuse: "agent used again",
  clone: "cloned agent",
  ask: "one question",
  fork: "fork",
  join: "join",
};

export function KindMark({ kind, size = 14, className, label = kindLabels[kind] }: KindMarkProps) {
  return (
    <svg
      className={cn(className)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label === null ? undefined : "img"}
      aria-label={label ?? undefined}
      aria-hidden={label === null ? true : undefined}
    >
      {shapes[kind]}
    </svg>
  );
}

const shapes: Record<DelegationKind, ReactNode> = {
  new: (
    <>
      <path d="M8 3.2v9.6M3.2 8h9.6" strokeWidth={1.9} />
    </>
  ),
  reuse: (
    <>
      <path d="M12.8 6.2A5.2 5.2 0 0 0 3.3 6M3.2 9.8a5.2 5.2 0 0 0 9.5.2" />
      <path d="M3 2.9V6h3.1M13 13.1V10H9.9" />
    </>
  ),
  clone: (
    <>
      <rect x="2.4" y="2.4" width="8" height="8" rx="1.2" />
      <path d="M13.6 5.8v6.6a1.2 1.2 0 0 1-1.2 1.2H5.8" />
    </>
  ),
  ask: (
    <>
      <path d="M5.4 5.6A2.7 2.7 0 1 1 8.6 8.4c-.5.2-.6.5-.6 1.2" />
      <path d="M8 12.6v.1" strokeWidth={2.2} />
    </>
  ),
  launch: (
    <>
      <path d="M4.4 2.8v10.4L12.8 8z" fill="currentColor" />
    </>
  ),
  fork: (
    <>
      <path d="M1.5 8H5l3.4-4.2h6M5 8l3.4 4.2h6" />
    </>
  ),
  join: (
    <>
      <path d="M14.5 8H11L7.6 3.8h-6M11 8l-3.4 4.2h-6" />
    </>
  ),
};
