"use client";

// A few lines of code or a command to copy. For anything long there is text-view.tsx.
import { CopyButton } from "./copy-button";

export type CodeBlockProps = {
  code: string;
  /** Draws a $ before it that is not copied. */
  isCommand?: boolean;
  className?: string;
};

export function CodeBlock({ code, isCommand = false, className = "" }: CodeBlockProps) {
  return (
    <div
      className={`flex items-start gap-2 rounded-2 bg-well py-1 pr-1 pl-2.5 shadow-[inset_0_0_0_1px_var(--line)] ${className}`}
    >
      {isCommand ? (
        <span aria-hidden className="mono py-1 text-ink-3 leading-[19px]">
          $
        </span>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <pre tabIndex={0} className="mono min-w-0 flex-1 overflow-x-auto py-1 leading-[19px]">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={isCommand ? "Copy the command" : "Copy"} />
    </div>
  );
}
