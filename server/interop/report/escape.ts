// Text and times for a page: nothing that an agent, a tool or a person wrote is ever a mark of it.
const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Shown as what they are: raw, one of them turns round all that follows it, and a name reads as another. */
// The two joiners stay: emoji and whole scripts are written with them.
const HIDDEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign).replace(HIDDEN, codeOf);

const codeOf = (sign: string): string => `\\u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** 2026-11-26T07:44:48.238966Z as a person reads it. */
export const readable = (at: string): string => at.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");

/** As an anchor: ids have signs that need no escaping. */
export const anchorOf = (kind: "turn" | "card", id: string): string => `${kind}-${id.replace(/[^A-Za-z0-9_-]/g, "")}`;
