"use client";

// Copies, and says for a moment that it has.
import { useEffect, useState } from "react";
import { announce } from "./announcements";
import { IconButton } from "./icon-button";

export type CopyButtonProps = {
  /** A function, where building the text is dear: it runs on the click. */
  text: string | (() => string);
  label?: string;
  size?: "sm" | "md";
  className?: string;
};

export function CopyButton({ text, label = "Copy", size = "md", className }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? "Copied" : label}
      size={size}
      iconSize={size === "sm" ? 13 : 15}
      className={className}
      onClick={() => {
        void copyText(typeof text === "string" ? text : text()).then((error) => {
          if (error === null) setIsCopied(true);
          else announce({ title: "Not copied", detail: error, status: "failed" });
        });
      }}
    />
  );
}

/** The reason when the browser refuses: it does so without a secure origin, and when the page has lost the focus. */
async function copyText(text: string): Promise<string | null> {
  try {
    await navigator.clipboard.writeText(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "The browser does not allow access to the clipboard.";
  }
}
