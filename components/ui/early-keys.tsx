"use client";

// What is typed for a part whose code is still on its way: it belongs to that part, and on the page each letter would be a
// shortcut of its own.
import { useEffect, useEffectEvent } from "react";
import { ShortcutLayer } from "./shortcuts";

export type EarlyKeysProps = {
  onType: (change: (typed: string) => string) => void;
  onEscape: () => void;
  onEnter?: () => void;
};

export function EarlyKeys(props: EarlyKeysProps) {
  return (
    <ShortcutLayer>
      <Keys {...props} />
    </ShortcutLayer>
  );
}

function Keys({ onType, onEscape, onEnter }: EarlyKeysProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") onEscape();
    else if (event.key === "Enter" && onEnter) onEnter();
    else if (event.key === "Backspace") onType((typed) => typed.slice(0, -1));
    else if (event.key.length === 1) onType((typed) => typed + event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // Before whatever has the focus.
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
  return null;
}
