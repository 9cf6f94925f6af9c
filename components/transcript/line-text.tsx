"use client";

// The text of a line: whole where it is short, else its beginning and the way to all of it. What the page did not bring is read
// from the card.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { foldedText } from "@/components/domain/folded-text";
import { MarkedWords } from "@/components/domain/marked-words";
import { useTRPC } from "@/components/trpc/client";
import { formatNumber } from "@/components/ui/format";
import type { TranscriptLine } from "@/server/contract/answers/transcript";
import { indented, saidText } from "@/server/contract/said-text";

export type LineTextProps = { projectId: string; line: TranscriptLine; name: string; words: string };

export function LineText({ projectId, line, name, words }: LineTextProps) {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const isCut = line.letters > [...line.text].length;
  const whole = useQuery(
    trpc.card.get.queryOptions(
      { project_id: projectId, card_id: line.card_id },
      { enabled: isOpen && isCut, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  if (line.is_deleted) return <p className="text-ink-3">Its content was deleted.</p>;
  if (line.letters === 0) return <p className="text-ink-3">(empty)</p>;
  const given = indented(line.text);
  const text = isOpen && whole.data ? indented(saidText(whole.data.content)) : given;
  const folded = foldedText(given);
  const canFold = folded !== null || isCut;
  const isMono = /^\s*[[{]/.test(line.text);
  return (
    <>
      <p dir="auto" className={isMono ? "line-text mono" : "line-text"}>
        <MarkedWords text={isOpen ? text : (folded ?? text)} query={words} />
      </p>
      {isOpen && whole.error ? <p className="text-st-failed">{whole.error.message}</p> : null}
      {canFold ? (
        <button
          type="button"
          className="link line-fold"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Show less" : "Show all"} of ${name}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen
            ? isCut && whole.isPending
              ? "Loading all of it"
              : "Show less"
            : `Show all ${formatNumber(line.letters)} characters`}
        </button>
      ) : null}
    </>
  );
}
