"use client";

// A tooltip that is shown: placed by the library beside a copy of the control's outline, so that the control itself stays
// what it was. All of it lies outside the dialog that the control may be in: what goes from a dialog while the focus moves
// makes the dialog take the focus back.
import { Tooltip as Radix } from "radix-ui";
import { useEffect, useEffectEvent } from "react";
import { createPortal, flushSync } from "react-dom";
import { Kbd } from "./kbd";
import type { TooltipSurfaceProps } from "./tooltip-props";

export function TooltipSurface({
  id,
  control,
  onClose,
  label,
  keys,
  side = "bottom",
  align = "center",
  alignOffset = 0,
}: TooltipSurfaceProps) {
  const { left, top, width, height } = control.getBoundingClientRect();
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") flushSync(onClose);
  });
  useEffect(() => {
    // Before the library, which would take the key for itself: a tooltip that was open kept Escape from clearing a choice.
    const onKeyDown = (event: KeyboardEvent) => closeOnEscape(event);
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, []);
  return (
    <Radix.Provider>
      <Radix.Root
        open
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
      >
        {createPortal(
          <Radix.Trigger asChild>
            <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
          </Radix.Trigger>,
          document.body,
        )}
        <Radix.Portal>
          <Radix.Content
            id={id}
            side={side}
            align={align}
            alignOffset={alignOffset}
            sideOffset={6}
            collisionPadding={8}
            className="pointer-events-none z-50 flex max-w-72 items-center gap-2 rounded-2 bg-raise px-2 py-1 text-note text-ink shadow-lift-2 select-none"
          >
            {label}
            {keys ? <Kbd keys={keys} /> : null}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
