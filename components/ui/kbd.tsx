"use client";

import { keyCaps } from "./shortcut-keys";
// Keys as they are printed on the keyboard of the person who reads.
import { useIsApple } from "./use-is-apple";

/** `keys` as registered: "mod+k", "g y", "shift+f". A sequence is written as separate caps. */
export function Kbd({ keys, className = "" }: { keys: string; className?: string }) {
  const isApple = useIsApple();
  return (
    <span className={`inline-flex flex-none items-center gap-0.5 ${className}`}>
      {keyCaps(keys, isApple).map((cap, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: "I I" has the same cap twice.
        <kbd key={at} className="kbd">
          {cap}
        </kbd>
      ))}
    </span>
  );
}
