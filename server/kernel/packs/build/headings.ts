// Sections of a Markdown document by the slug of their heading, as code hosts make it. Line by line: a pattern over the whole
// text would take quadratic time on a hostile one.

export type Section = { slug: string; title: string; level: number; text: string };

export function sectionsOf(markdown: string): Section[] {
  const lines = markdown.split("\n");
  const heads = headLines(lines);
  return heads.map(({ at, ...head }, i) => {
    // Up to the next heading of the same level or above.
    const next = heads.slice(i + 1).find(({ level }) => level <= head.level);
    return { ...head, text: lines.slice(at, next?.at).join("\n").trimEnd() };
  });
}

/** What is still to be ticked: "- [ ] text". */
export function uncheckedBoxes(markdown: string): string[] {
  return markdown.split("\n").flatMap((line) => {
    const text = /^[ \t]{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[ \][ \t]/.test(line)
      ? line.slice(line.indexOf("]") + 1).trim()
      : "";
    return text === "" ? [] : [text];
  });
}

const HEADS_MAX = 2_000;

function headLines(lines: string[]): { at: number; level: number; title: string; slug: string }[] {
  const heads: { at: number; level: number; title: string; slug: string }[] = [];
  const taken = new Map<string, number>();
  let fence: string | null = null;
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const level = fence === null && mark === null ? (/^(#{1,6})[ \t]/.exec(line)?.[1]?.length ?? 0) : 0;
    if (level === 0 || heads.length === HEADS_MAX) continue;
    const title = withoutClosing(line.slice(level).trim());
    heads.push({ at, level, title, slug: freeSlug(slugOf(title), taken) });
  }
  return heads;
}

/** "Title ##" is "Title". */
function withoutClosing(title: string): string {
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end--;
  return end === 0 || title[end - 1] === " " ? title.slice(0, end).trimEnd() : title;
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");

/** A second heading of the same words gets "-1", a third "-2". */
function freeSlug(slug: string, taken: Map<string, number>): string {
  const nth = taken.get(slug) ?? 0;
  taken.set(slug, nth + 1);
  return nth === 0 ? slug : `${slug}-${nth}`;
}
