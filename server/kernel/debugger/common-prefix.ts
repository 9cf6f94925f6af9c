// How many items two requests begin with in common, and what the first difference is. Pure.
import type { PrefixWhy } from "@/server/contract/prefix";

/** `words`: equal for items that a provider is sent as the same bytes. */
export type SentItem = { card_id: string; type: string; words: string; tokens: number };

export const SYSTEM = "sys.rendered_prompt";
export const TOOLS = "sys.tools";

export function commonItems(a: readonly SentItem[], b: readonly SentItem[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at]?.words === b[at]?.words) at++;
  return at;
}

/** `common`: of commonItems. */
export function whyDiffers(a: readonly SentItem[], b: readonly SentItem[], common: number): PrefixWhy {
  const [one, other] = [a[common], b[common]];
  if (!one) return other ? "appended" : "same";
  if (!other) return "removed";
  if (one.type === SYSTEM && other.type === SYSTEM) return "system_changed";
  if (one.type === TOOLS || other.type === TOOLS) return "tools_changed";
  const isKept = b.slice(common).some(({ words }) => words === one.words);
  const wasThere = a.slice(common).some(({ words }) => words === other.words);
  if (isKept) return wasThere ? "moved" : "inserted";
  return wasThere ? "removed" : "replaced";
}

/** As a provider reads it. The box has the system prompt first. */
export function inOrder(items: readonly SentItem[], order: "system_first" | "tools_first"): readonly SentItem[] {
  if (order === "system_first") return items;
  return [...items.filter(({ type }) => type === TOOLS), ...items.filter(({ type }) => type !== TOOLS)];
}

export const tokensOf = (items: readonly SentItem[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0);
