"use client";

// A held step is decided at its signal, by the same form as in the inbox.
import type { ReactNode } from "react";
import { Popover } from "@/components/ui/popover";
import { PlanHold, type PlanHoldProps } from "../plan-hold";

export type HoldPopoverProps = PlanHoldProps & { title: string; trigger: ReactNode; onClose: () => void };

export function HoldPopover({ title, trigger, onClose, ...hold }: HoldPopoverProps) {
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      label={`Decide about ${title}`}
      trigger={trigger}
      className="w-[320px]"
    >
      <p dir="auto" className="mb-2 font-semibold">
        {title}
      </p>
      <PlanHold {...hold} />
    </Popover>
  );
}
