// Asks the searching sources while one types: a short wait, one question at a time, and no answer to an old question.
import { useEffect, useState } from "react";
import type { CommandItem, CommandSource } from "@/components/ui/commands";
import { isAsked, parseQuery } from "./palette-rows";

export type FoundRows = {
  rows: ReadonlyMap<string, readonly CommandItem[]>;
  isAsking: boolean;
  /** What could not be searched, and why. */
  errors: readonly string[];
  /** The newest of what, where not all was looked at: "10,000 cards". */
  lookedAt: readonly string[];
};

const typingMs = 120;

export function useFoundRows(sources: readonly CommandSource[], text: string): FoundRows {
  const [found, setFound] = useState<FoundRows>(nothing);
  useEffect(() => {
    const query = parseQuery(text);
    const asked = sources.filter((source) => source.search !== undefined && isAsked(source, query));
    if (asked.length === 0) {
      setFound(nothing);
      return;
    }
    const stop = new AbortController();
    // From the key on, not from the question on: in between it said that there are no results.
    setFound((before) => ({ ...before, isAsking: true, errors: [], lookedAt: [] }));
    const timer = setTimeout(async () => {
      const answers = await Promise.allSettled(
        asked.map(async (source) => {
          const rows = (await source.search?.(query.words, stop.signal)) ?? [];
          return { id: source.id, rows, lookedAt: (await source.lookedAt?.(query.words)) ?? [] };
        }),
      );
      if (stop.signal.aborted) return;
      const told = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
      setFound({
        isAsking: false,
        rows: new Map(told.map(({ id, rows }) => [id, rows])),
        lookedAt: told.flatMap(({ lookedAt }) => lookedAt),
        errors: answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : [])),
      });
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [sources, text]);
  return found;
}

const nothing: FoundRows = { rows: new Map(), isAsking: false, errors: [], lookedAt: [] };
