"use client";

// Where the words of a card come from: asked for by a person, for the whole card or for what is selected of its text.
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { useShortcut } from "@/components/ui/shortcuts";
import { Skeleton } from "@/components/ui/skeleton";
import { contentText } from "@/server/contract/card";
import type { CardSheet } from "@/server/contract/line";
import { foldBlanks, SAW_TEXT_MAX, SAW_TEXT_MIN } from "@/server/contract/saw-text";
import { BlamePath } from "./blame-path";
import { parseTrace, selectedRange, traceOf } from "./selected-range";

const NOT_FOUND = "The selection is not in the text as it is stored. Choose the view Text, and select there.";

/** `run`: the one whose turns had the card. */
type BlameSectionProps = { projectId: string; card: CardSheet | undefined; run: string | undefined };

export function BlameSection({ projectId, card, run }: BlameSectionProps) {
  const router = useRouter();
  const trpc = useTRPC();
  /** Absent = not asked for. */
  const [trace, setTrace] = useQueryState("trace");
  const [fault, setFault] = useState<string | null>(null);
  const id = card?.card_id ?? "";
  const text = contentText(card?.content ?? null);
  const asked = card && parseTrace(trace, id);
  const range = asked?.range;
  const isAsked = Boolean(asked) && text !== "";
  const read = useQuery(
    trpc.debugger.blame.queryOptions(
      { project_id: projectId, card_id: id, ...(range && { start: range.start, end: range.end }) },
      { enabled: isAsked, staleTime: 60_000, retry: false },
    ),
  );
  function ask() {
    const selected = window.getSelection()?.toString() ?? "";
    const found = selected.trim() === "" ? null : selectedRange(text, selected);
    if (selected.trim() !== "" && found === null) return setFault(NOT_FOUND);
    setFault(null);
    void setTrace(traceOf(id, found));
  }
  function showWhoSaw() {
    const words = foldBlanks(window.getSelection()?.toString() ?? "");
    if (run === undefined) return setFault("No turn of a run has this card yet.");
    if (words.length < SAW_TEXT_MIN) return setFault(`Select at least ${SAW_TEXT_MIN} characters of the text first.`);
    setFault(null);
    const query = new URLSearchParams({ run, saw_text: words.slice(0, SAW_TEXT_MAX) });
    router.push(`/p/${encodeURIComponent(projectId)}?${query.toString()}`);
  }
  useShortcut("w", "Show who saw the selected words", showWhoSaw, { group: "Card", isEnabled: text !== "" });
  useShortcut("b", "Trace the selected words, or all", ask, { group: "Card", isEnabled: text !== "" });
  return (
    <Section title="Where its words come from">
      {fault === null ? null : (
        <p role="alert" className="mb-2 text-st-failed">
          {fault}
        </p>
      )}
      {isAsked ? null : (
        <p className="mb-2 text-ink-3">
          Follow the whole card, or select some words first. Cards are compared by their text: no model is asked.
        </p>
      )}
      {!isAsked ? null : read.data ? (
        <BlamePath projectId={projectId} answer={read.data} />
      ) : read.error ? (
        <p className="text-st-failed">{read.error.message}</p>
      ) : (
        <div role="status" aria-label="Following the words">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {/* A click elsewhere takes the selection away before it can be read. */}
        <Button size="sm" keys="b" disabled={text === ""} onMouseDown={(event) => event.preventDefault()} onClick={ask}>
          {isAsked ? "Trace again" : "Trace the words"}
        </Button>
        <Button
          size="sm"
          keys="w"
          disabled={text === ""}
          onMouseDown={(event) => event.preventDefault()}
          onClick={showWhoSaw}
        >
          Who saw these words
        </Button>
        {isAsked ? (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              setFault(null);
              void setTrace(null);
            }}
          >
            Close
          </Button>
        ) : null}
      </div>
    </Section>
  );
}
