"use client";

// Markdown, whose reader is 46 kB of code: fetched when a text is drawn, or while the page rests. The text stands there
// meanwhile as it was written.
import { lazyPart } from "./lazy-part";

export const loadMarkdown = () => import("./markdown-text").then((module) => module.MarkdownText);

type MarkdownViewProps = { text: string; className?: string };

export const MarkdownView = lazyPart<MarkdownViewProps>(loadMarkdown, {
  missing: "The formatted text could not be loaded",
  waiting: ({ text, className = "" }) => <div className={`markdown whitespace-pre-wrap ${className}`}>{text}</div>,
});
