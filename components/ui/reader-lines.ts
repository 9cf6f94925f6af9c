// Text and JSON as lines that a virtual list can draw: pure, so that folding and cutting are tested without a browser.

export type LineTone = "plain" | "key" | "string" | "number" | "quiet";

export type LineSpan = { text: string; tone: LineTone };

export type ReaderLine = {
  /** Line number as written; null for the rest of a long line. */
  number: number | null;
  indent: number;
  spans: LineSpan[];
  /** A line that opens something that can be folded. */
  fold?: { path: string; isOpen: boolean };
};

/** A row of one megabyte takes the browser seconds to lay out; so a longer line is drawn as several rows. */
export const rowLettersMax = 1200;

export function textLines(text: string): ReaderLine[] {
  return text.split("\n").flatMap((line, index) => cutLine(index + 1, 0, [{ text: line, tone: "plain" }]));
}

/** Keys stand out, comments step back. Enough to read a profile by; not a parser. */
export function yamlLines(text: string): ReaderLine[] {
  return text.split("\n").flatMap((line, index) => cutLine(index + 1, 0, yamlSpans(line)));
}

/** Cuts a line into rows of at most `rowLettersMax` letters, preferably at a space. */
export function cutLine(
  number: number | null,
  indent: number,
  spans: readonly LineSpan[],
  fold?: ReaderLine["fold"],
): ReaderLine[] {
  const rows: ReaderLine[] = [];
  let row: LineSpan[] = [];
  let room = rowLettersMax;
  function endRow() {
    const isFirst = rows.length === 0;
    rows.push({ number: isFirst ? number : null, indent, spans: row, ...(isFirst && fold ? { fold } : {}) });
    row = [];
    room = rowLettersMax;
  }
  for (const span of spans) {
    let rest = span.text;
    while (rest.length > room) {
      const cut = cutPlace(rest, room);
      row.push({ text: rest.slice(0, cut), tone: span.tone });
      rest = rest.slice(cut);
      endRow();
    }
    row.push({ text: rest, tone: span.tone });
    room -= rest.length;
  }
  endRow();
  return rows;
}

export function lineText(line: ReaderLine): string {
  return line.spans.map((span) => span.text).join("");
}

/** The rows that hold the words, in any case. Words that straddle two rows of one line are found in neither. */
export function findInLines(lines: readonly ReaderLine[], words: string): number[] {
  const wanted = words.toLowerCase();
  if (wanted === "") return [];
  const hits: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (lineText(line).toLowerCase().includes(wanted)) hits.push(index);
  }
  return hits;
}

/** Spans split so that each occurrence of the words is a span of its own. */
export function markHits(spans: readonly LineSpan[], words: string): (LineSpan & { isHit: boolean })[] {
  const wanted = words.toLowerCase();
  if (wanted === "") return spans.map((span) => ({ ...span, isHit: false }));
  const text = spans.map((span) => span.text).join("");
  const lower = text.toLowerCase();
  const hits: { from: number; to: number }[] = [];
  // Lower case may change the length of a text (İ): then nothing is marked rather than the wrong letters.
  for (
    let at = lower.length === text.length ? lower.indexOf(wanted) : -1;
    at >= 0;
    at = lower.indexOf(wanted, at + wanted.length)
  ) {
    hits.push({ from: at, to: at + wanted.length });
  }
  const marked: (LineSpan & { isHit: boolean })[] = [];
  let start = 0;
  for (const span of spans) {
    const end = start + span.text.length;
    let at = start;
    for (const hit of hits) {
      if (hit.to <= at || hit.from >= end) continue;
      const from = Math.max(hit.from, at);
      const to = Math.min(hit.to, end);
      if (from > at) marked.push({ text: text.slice(at, from), tone: span.tone, isHit: false });
      marked.push({ text: text.slice(from, to), tone: span.tone, isHit: true });
      at = to;
    }
    if (at < end) marked.push({ text: text.slice(at, end), tone: span.tone, isHit: false });
    start = end;
  }
  return marked;
}

/** Text around and kinds inside of placeholders, by turns: ["Bearer ", "bearer", " sent"]. */
export function splitRedacted(text: string): string[] {
  return text.split(/\[REDACTED:([a-z_]{1,40})\]/u);
}

function cutPlace(text: string, room: number): number {
  if (room <= 0) return 0;
  const space = text.lastIndexOf(" ", room - 1);
  const cut = space > room * 0.8 ? space + 1 : room;
  // Never between the two halves of a letter outside the basic plane.
  const code = text.charCodeAt(cut - 1);
  return code >= 0xd800 && code <= 0xdbff ? cut - 1 : cut;
}

function yamlSpans(line: string): LineSpan[] {
  if (/^\s*#/u.test(line)) return [{ text: line, tone: "quiet" }];
  const match = /^(\s*(?:- )*)([\w.$/-]+|"[^"]*"|'[^']*')(:)(\s.*)?$/u.exec(line);
  if (match === null) return [{ text: line, tone: "string" }];
  const [, lead = "", key = "", colon = "", value = ""] = match;
  const isNumber = /^\s*-?\d+(\.\d+)?\s*$/u.test(value);
  return [
    { text: lead, tone: "quiet" },
    { text: key, tone: "key" },
    { text: colon, tone: "quiet" },
    { text: value, tone: isNumber ? "number" : "string" },
  ];
}
