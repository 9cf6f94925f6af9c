// What changed between two texts, word by word, short enough to be sent with a row.
import { alignWords } from "./align-words";
import type { PairChange, WordChange } from "./pair-change";

/** Of equal words so many letters stay on each side of a change. */
const AROUND = 160;
/** Letters of changes that are sent; the rest is counted. */
const CHANGED_MAX = 20_000;

/** Words with the blanks after them: joined they are the text again. */
const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+\s*/gu) ?? [];

export function wordDiff(before: string, after: string): PairChange {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const { stretches, is_coarse } = alignWords(a, b);
  const words: WordChange[] = [];
  let [sent, left_out] = [0, 0];
  for (const [i, { kind, from, to }] of stretches.entries()) {
    const text = (kind === "added" ? b : a).slice(from, to).join("");
    if (sent >= CHANGED_MAX) {
      left_out += kind === "same" ? 0 : 1;
      continue;
    }
    if (kind === "same") {
      words.push(shortened(text, { isFirst: i === 0, isLast: i === stretches.length - 1 }));
      continue;
    }
    const room = CHANGED_MAX - sent;
    words.push({ kind, text: text.slice(0, room), ...(text.length > room && { cut: text.length - room }) });
    sent += text.length;
  }
  return {
    how: "words",
    words,
    ...(is_coarse && { is_coarse: true as const }),
    ...(left_out > 0 && { left_out }),
  };
}

/** The end before a change and the beginning after one. */
function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): WordChange {
  const head = isFirst && !isLast ? "" : text.slice(0, AROUND);
  const tail = isLast ? "" : text.slice(-AROUND);
  const cut = text.length - head.length - tail.length;
  if (cut <= 0) return { kind: "same", text };
  return { kind: "same", text: `${head}…${tail}`, cut };
}
