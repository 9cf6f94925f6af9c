// Cuts a long Markdown text into pages that a browser lays out in one go.

/** 100,000 letters parse in about 0.2 s; five megabytes at once froze the page. */
const pageLettersMax = 100_000;

/** Cuts at blank lines outside of code fences, so that no list or block is torn; a text without any is cut hard. */
export function pageMarkdown(text: string, lettersMax = pageLettersMax): string[] {
  if (text.length <= lettersMax) return [text];
  const pages: string[] = [];
  let start = 0;
  let lastBreak = 0;
  let at = 0;
  let fence: string | null = null;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(at, Math.min(next, at + 80));
    const mark = /^\s{0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    if (fence === null && line.trim() === "") lastBreak = next;
    while (next - start > lettersMax) {
      const cut = lastBreak > start ? lastBreak : Math.min(start + lettersMax, text.length);
      pages.push(text.slice(start, cut));
      start = cut;
    }
    at = next;
  }
  if (start < text.length) pages.push(text.slice(start));
  return pages;
}
