// The pen that draws every sign: icons, lamps and marks, on a square of 16.
import type { ReactNode } from "react";

export type SignProps = {
  size: number;
  className?: string;
  /** `null` where the same word stands beside the sign, or the control around it has a name. */
  label: string | null;
  children: ReactNode;
};

export function Sign({ size, className, label, children }: SignProps) {
  return (
    <svg
      className={className}
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
      {children}
    </svg>
  );
}
