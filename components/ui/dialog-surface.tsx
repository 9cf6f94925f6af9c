"use client";

// What a dialog is once it is open, in the shape of a waybill. While it is open, only the shortcuts inside it fire.
import { Dialog as Radix } from "radix-ui";
import { type CSSProperties, useState } from "react";
import { cn } from "./cn";
import type { DialogProps } from "./dialog-props";
import { focusIn, placeOf } from "./focus-heir";
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
  // Taken while it is drawn: what the dialog holds may take the focus before the dialog is told that it is open.
  const [opener, setOpener] = useState(openerNow);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setOpener(openerNow());
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-[panel-in_var(--t-2)] bg-scrim" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={(event) => {
            // Opened by a key there is no trigger to go back to, and the focus would fall to the top of the page.
            event.preventDefault();
            if (opener.node instanceof HTMLElement && opener.node.isConnected) opener.node.focus();
            else if (document.activeElement === document.body) focusIn(opener.place, opener.node);
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

function openerNow(): { node: Element | null; place: HTMLElement[] } {
  const node = typeof document === "undefined" ? null : document.activeElement;
  return { node, place: placeOf(node) };
}

/** The first field, or the dialog itself. Left to itself the focus falls on Close, and with it the ring and a tooltip. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget;
  if (!(content instanceof HTMLElement)) return;
  event.preventDefault();
  const wanted = content.querySelector<HTMLElement>("[data-autofocus]");
  const field = wanted ?? content.querySelector<HTMLElement>("input:not([type=hidden], [type=file]), textarea");
  (field ?? content).focus();
}
