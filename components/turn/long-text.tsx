"use client";

// A text that may be long: its first lines, and the whole of it when asked for. What the server has cut is fetched then.
import { useState } from "react";
import { formatNumber } from "@/components/ui/format";
import { MarkdownView } from "@/components/ui/markdown-view";
import { TextView } from "@/components/ui/text-view";
import type { StepText } from "@/server/contract/turn-sheet";

export type LongTextProps = StepText & {
  label: string;
  /** Lines before it is folded. */
  lines: number;
  isMono?: boolean;
  /** For what is written to be read, such as a deliverable. What a model is sent stands as it was sent. */
  isMarkdown?: boolean;
  /** The whole text, where `text` is not all of it. */
  load: () => Promise<string>;
};

/** More than this is drawn a screenful at a time. */
const PLAIN_LETTERS_MAX = 20_000;

export function LongText({ text, letters, label, lines, isMono = false, isMarkdown = false, load }: LongTextProps) {
  const [whole, setWhole] = useState<string | null>(null);
  const [state, setState] = useState<"folded" | "loading" | "open" | { error: string }>("folded");
  const isLong = letters > text.length || text.split("\n", lines + 1).length > lines || text.length > lines * 74;
  async function open() {
    if (letters > text.length && whole === null) {
      setState("loading");
      try {
        setWhole(await load());
      } catch (error) {
        setState({ error: error instanceof Error ? error.message : String(error) });
        return;
      }
    }
    setState("open");
  }
  const shown = whole ?? text;
  if (text.trim() === "" && letters === 0) return <p className="text-ink-3">(empty)</p>;
  if (state === "open" && shown.length > PLAIN_LETTERS_MAX)
    return (
      <>
        <TextView text={shown} label={label} maxHeight="60vh" />
        <Fold onClick={() => setState("folded")} words="Show less" />
      </>
    );
  const isFolded = isLong && state !== "open";
  const words = state === "open" ? shown : text.slice(0, lines * 160);
  return (
    <>
      {isMarkdown ? (
        <div dir="auto" className="overflow-hidden" style={isFolded ? { maxHeight: `${lines * 1.45}em` } : undefined}>
          <MarkdownView text={words} />
        </div>
      ) : (
        <p
          dir="auto"
          className={isMono ? "step-text mono" : "step-text"}
          style={isFolded ? { WebkitLineClamp: lines } : undefined}
          data-folded={isFolded || undefined}
        >
          {words}
        </p>
      )}
      {isLong ? (
        state === "open" ? (
          <Fold onClick={() => setState("folded")} words="Show less" />
        ) : (
          <Fold
            onClick={() => void open()}
            words={state === "loading" ? "Fetching it" : `Show all ${formatNumber(letters)} characters`}
          />
        )
      ) : null}
      {typeof state === "object" ? (
        <p role="alert" className="text-st-failed">
          It could not be loaded: {state.error}
        </p>
      ) : null}
    </>
  );
}

function Fold({ words, onClick }: { words: string; onClick: () => void }) {
  return (
    <button type="button" className="link step-fold" onClick={onClick}>
      {words}
    </button>
  );
}
