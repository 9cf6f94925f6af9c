"use client";

// Keys as they are printed on the keyboard of the person who reads.
import { cn } from "./cn";
import { keyCaps } from "./shortcut-keys";
import { useIsApple } from "./use-is-apple";

export type KbdProps = {
  /** As registered: "mod+k", "g y", "shift+f". A sequence is written as separate caps. */
  keys: string;
  /** False where the keys are what is told of, and not a shorter way to what stands beside them: without a keyboard a hint is noise. */
  isHint?: boolean;
  className?: string;
};

export function Kbd({ keys, isHint = true, className }: KbdProps) {
  const isApple = useIsApple();
  return (
    <span className={cn("inline-flex flex-none items-center gap-0.5", isHint && "keyless:hidden", className)}>
      {keyCaps(keys, isApple).map((cap, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: "I I" has the same cap twice.
        <kbd key={at} className="kbd">
          {cap}
        </kbd>
      ))}
    </span>
  );
}
