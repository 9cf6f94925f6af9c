// Text and times for a page: nothing that an agent, a tool or a person wrote is ever a mark of it.
const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

/** 2026-11-26T07:44:48.238966Z as a person reads it. */
export const readable = (at: string): string => at.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");

/** As an anchor: ids have signs that need no escaping. */
export const anchorOf = (kind: "turn" | "card", id: string): string => `${kind}-${id.replace(/[^A-Za-z0-9_-]/g, "")}`;
