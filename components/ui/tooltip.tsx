"use client";

// The name of a control, and its key, for whoever hovers or tabs onto it.
import { Tooltip as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { Kbd } from "./kbd";

export const TooltipProvider = Radix.Provider;

export type TooltipProps = {
  label: ReactNode;
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center";
  /** For a text that may not fit: the tooltip has the whole of it, and does not come where nothing was cut. */
  onlyIfCut?: boolean;
  children: ReactNode;
};

export function Tooltip({ label, keys, side = "bottom", align = "center", onlyIfCut = false, children }: TooltipProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => setIsOpen(next && (!onlyIfCut || isCut(trigger.current)))}>
      <Radix.Trigger ref={trigger} asChild>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          align={align}
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

const isCut = (element: HTMLElement | null): boolean =>
  element !== null &&
  (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);
