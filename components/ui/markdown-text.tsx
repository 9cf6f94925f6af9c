"use client";

// Markdown written by agents and strangers: no raw HTML, no script links, and no picture is fetched unasked, because
// the request itself would tell its server who reads what.
import { memo, useState } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { Button } from "./button";
import { formatNumber } from "./format";
import { pageMarkdown } from "./markdown-pages";

type MarkdownTextProps = { text: string; className?: string };

export function MarkdownText({ text, className = "" }: MarkdownTextProps) {
  const pages = pageMarkdown(text);
  const [shown, setShown] = useState(1);
  const drawn = pages.slice(0, shown);
  const letters = drawn.reduce((sum, page) => sum + page.length, 0);
  return (
    <div dir="auto" className={`markdown ${className}`}>
      {drawn.map((page, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place in the text.
        <Page key={index} text={page} />
      ))}
      {shown < pages.length ? (
        <p className="flex flex-wrap items-center gap-3 border-line border-t pt-3 text-ink-3">
          {formatNumber(letters)} of {formatNumber(text.length)} characters
          <Button size="sm" onClick={() => setShown(shown + 1)}>
            Show more
          </Button>
        </p>
      ) : null}
    </div>
  );
}

const Page = memo(function Page({ text }: { text: string }) {
  return (
    <Markdown remarkPlugins={[remarkGfm]} components={components}>
      {text}
    </Markdown>
  );
});

const components: Components = {
  // An address that was not safe arrives here empty, and an empty one would lead to this very page.
  a: ({ href, children }) =>
    href === undefined || href === "" ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="link">
        {children}
      </a>
    ),
  img: ({ src, alt }) => <RemoteImage src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="markdown-table" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <pre tabIndex={0}>{children}</pre>
  ),
  // The task boxes of GFM are drawn, not pressed; a bare disabled input has no name.
  input: ({ checked }) => (
    <input type="checkbox" checked={checked === true} disabled aria-label={checked ? "done" : "open"} />
  ),
};

function RemoteImage({ src, alt }: { src: string; alt: string }) {
  const [isLoaded, setIsLoaded] = useState(false);
  const host = hostOf(src);
  if (host === null) return <span className="text-ink-3">{alt === "" ? "picture without an address" : alt}</span>;
  // biome-ignore lint/performance/noImgElement: an address of somebody else's, which next/image would fetch by our server.
  if (isLoaded) return <img src={src} alt={alt} referrerPolicy="no-referrer" className="max-w-full" />;
  return (
    <Button size="sm" icon="eye" onClick={() => setIsLoaded(true)} title={src}>
      {alt === "" ? "Picture" : alt}, load from {host}
    </Button>
  );
}

function hostOf(src: string): string | null {
  if (!URL.canParse(src)) return null;
  const url = new URL(src);
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : null;
}
