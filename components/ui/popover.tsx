"use client";

// A small sheet beside its button, for what does not fit a menu: a form, a list of facts.
import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

export type PopoverProps = {
  trigger: ReactNode;
  label: string;
  align?: "start" | "center" | "end";
  className?: string;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
};

export function Popover({ trigger, label, align = "start", className, isOpen, onOpenChange, children }: PopoverProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={5}
          collisionPadding={8}
          aria-label={label}
          className={cn(
            "z-50 animate-[panel-in_var(--t-2)] rounded-3 bg-panel p-3 shadow-lift-2 outline outline-line-2",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
