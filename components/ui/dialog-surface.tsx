"use client";

// What a dialog is once it is open, in the shape of a waybill. While it is open, only the shortcuts inside it fire.
import { Dialog as Radix } from "radix-ui";
import { type CSSProperties, useRef } from "react";
import { cn } from "./cn";
import type { DialogProps } from "./dialog-props";
import { IconButton } from "./icon-button";
import { ShortcutLayer } from "./shortcuts";

export function DialogSurface({
  isOpen,
  onOpenChange,
  title,
  description,
  width = 440,
  footer,
  isBare = false,
  isReading = false,
  className,
  children,
}: DialogProps) {
  const before = useRef<Element | null>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-[panel-in_var(--t-2)] bg-scrim" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement;
            focusFirstField(event);
          }}
          onCloseAutoFocus={(event) => {
            // Opened by a key there is no trigger to go back to, and the focus would fall to the top of the page.
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
          style={{ "--dialog-width": `${width}px` } as CSSProperties}
          className={cn("dialog fixed z-50 flex flex-col overflow-hidden bg-panel", className)}
        >
          <ShortcutLayer>
            {isBare ? (
              <Radix.Title className="sr-only">{title}</Radix.Title>
            ) : (
              <header className="flex flex-none items-start gap-3 px-4 pt-3.5 pb-2.5">
                <div className="min-w-0 flex-1">
                  <Radix.Title className="text-title">{title}</Radix.Title>
                  {description === undefined ? null : (
                    <Radix.Description className="mt-1 text-ink-2">{description}</Radix.Description>
                  )}
                </div>
                <Radix.Close asChild>
                  <IconButton icon="x" label="Close" className="-mt-1 -mr-1.5" />
                </Radix.Close>
              </header>
            )}
            {isBare ? (
              children
            ) : (
              // Above the first control there is room for its ring.
              <div
                className="-mt-1 min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-4 outline-offset-[-2px]"
                {...(isReading ? { tabIndex: 0, role: "region", "aria-label": title, "data-autofocus": "" } : {})}
              >
                {children}
              </div>
            )}
            {footer === undefined ? null : (
              <footer className="flex flex-none items-center justify-end gap-2 border-line border-t px-4 py-2.5">
                {footer}
              </footer>
            )}
          </ShortcutLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The first field, or the dialog itself. Left to itself the focus falls on Close, and with it the ring and a tooltip. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget;
  if (!(content instanceof HTMLElement)) return;
  event.preventDefault();
  const field = content.querySelector<HTMLElement>("[data-autofocus], input:not([type=hidden]), textarea");
  (field ?? content).focus();
}
