"use client";

// The name of a control, and its key, for whoever hovers or tabs onto it.
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd";

export const TooltipProvider = Radix.Provider;

export type TooltipProps = {
  label: ReactNode;
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
};

export function Tooltip({ label, keys, side = "bottom", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 items-center gap-2 rounded-2 bg-raise px-2 py-1 text-note text-ink shadow-lift-2 select-none"
        >
          {label}
          {keys ? <Kbd keys={keys} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
