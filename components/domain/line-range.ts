// Lines of a text by their numbers. Pure.

/** Where a line of a text begins and ends, to select it. */
export function lineRange(text: string, line: number): { start: number; end: number } {
  const lines = text.split("\n");
  const at = Math.min(Math.max(line, 1), lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, each) => sum + each.length + 1, 0);
  return { start, end: start + (lines[at]?.length ?? 0) };
}
