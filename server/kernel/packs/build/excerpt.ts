// The part of a file or document that a pack shows. The whole text is redacted before anything is cut from it.
import { cutClean } from "./cut";
import type { Section } from "./headings";
import type { Redactor } from "./outcome";

const EXCERPT_BYTES = 1_200;
const WORDS_MAX = 40;
const WINDOW_LINES = 24;

/** Words of four letters and more, in lower case: what a goal is about. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{4,64}/gu) ?? [];
  return [...new Set(words)].slice(0, WORDS_MAX);
}

/** The lines that mention most of the words, or the first. */
export function excerptOfFile(text: string, words: string[], redact: Redactor): string {
  const lines = redact.text(text).text.split("\n");
  const from = bestLine(lines, words);
  return cutClean(lines.slice(from).join("\n").trimEnd(), EXCERPT_BYTES, redact);
}

export function excerptOfSections(sections: Section[], redact: Redactor): string {
  const text = sections.map((section) => section.text).join("\n\n");
  return cutClean(text.trimEnd(), EXCERPT_BYTES, redact);
}

/** The headings whose own words are most like the goal; a few of them. */
export function matchingSections(sections: Section[], words: string[], count: number): Section[] {
  const wanted = new Set(words);
  return sections
    .map((section, at) => ({ section, at, score: wordsOf(section.title).filter((word) => wanted.has(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ section }) => section);
}

function bestLine(lines: string[], words: string[]): number {
  const scores = lines.map((line) => {
    const lower = line.toLowerCase();
    return words.filter((word) => lower.includes(word)).length;
  });
  let [sum, best, from] = [0, 0, 0];
  for (let at = 0; at < scores.length; at++) {
    sum += (scores[at] ?? 0) - (scores[at - WINDOW_LINES] ?? 0);
    if (sum > best) [best, from] = [sum, Math.max(0, at - WINDOW_LINES + 1)];
  }
  // Begins at the first line that mentions one.
  while (best > 0 && scores[from] === 0) from++;
  return from;
}
