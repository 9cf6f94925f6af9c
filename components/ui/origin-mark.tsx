// Where a card of a box came from. Shape only: it must never fight with the hue of a role.
import type { ReactNode } from "react";
import { Sign } from "./sign";
import { type Origin, originNames } from "./sign-words";

export type OriginMarkProps = {
  origin: Origin;
  size?: number;
  className?: string;
  /** `null` where the same word stands beside the mark. */
  label?: string | null;
};

export function OriginMark({ origin, size = 13, className, label = originNames[origin] }: OriginMarkProps) {
  return (
    <Sign size={size} className={className} label={label}>
      {shapes[origin]}
    </Sign>
  );
}

const shapes: Record<Origin, ReactNode> = {
  packed: (
    <>
      <path d="M2.5 9v4.5h11V9" />
      <path d="M8 2v7M5.2 6.4 8 9.2l2.8-2.8" />
    </>
  ),
  inherited: (
    <>
      <rect x="1.6" y="5" width="4.4" height="6" rx="1" />
      <rect x="10" y="5" width="4.4" height="6" rx="1" fill="currentColor" />
      <path d="M6 8h4" />
    </>
  ),
  pointer: (
    <>
      <path d="M13 13V8.5L10.5 6H3.5" />
      <path d="M6.4 3 3.4 6l3 3" />
    </>
  ),
  profile: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.4" />
      <path d="M5 6.5h6M5 9.5h3.5" />
    </>
  ),
  system: (
    <>
      <path d="M8 1.8 13.4 5v6L8 14.2 2.6 11V5z" />
      <circle cx="8" cy="8" r="1.6" fill="currentColor" stroke="none" />
    </>
  ),
  produced: (
    <>
      <path d="M2.5 13.5h11" />
      <path d="M4 10.5 10.8 3.7l2 2L6 12.5H4z" transform="translate(0 -1.4)" />
    </>
  ),
};
