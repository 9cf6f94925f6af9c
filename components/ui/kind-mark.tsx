// How a turn was called for.
import type { ReactNode } from "react";
import { Sign } from "./sign";
import { type DelegationKind, kindNames } from "./sign-words";

export type KindMarkProps = {
  kind: DelegationKind;
  size?: number;
  className?: string;
  /** `null` where the same word stands beside the mark. */
  label?: string | null;
};

export function KindMark({ kind, size = 14, className, label = kindNames[kind] }: KindMarkProps) {
  return (
    <Sign size={size} className={className} label={label}>
      {shapes[kind]}
    </Sign>
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
