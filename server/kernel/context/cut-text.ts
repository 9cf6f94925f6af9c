// Cuts by code points, so that no half of a character is left at the end.

/** At most `max` code points, the last of them "…" when something was cut. */
export function cutText(text: string, max: number): string {
  // Code units are never fewer than code points: short text needs no walk.
  if (text.length <= max) return text;
  const points = Array.from(text.slice(0, max * 2));
  return points.length <= max && text.length <= max * 2 ? text : `${points.slice(0, max - 1).join("")}…`;
}

/** On one line: anything that some reader treats as a line break, or cannot show, becomes a space. */
export const collapse = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
