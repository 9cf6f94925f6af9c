// To fix a context that does not fit, leave cards out, so the error names the heaviest.
import type { Card } from "@/server/contract/card";
import { lineOf } from "@/server/kernel/cardbox/card-line";
import { ModelError } from "./model";

const NAMED_MAX = 5;

/** `cards` = the cards of the request. Other errors are returned unchanged. */
export function nameHeaviest<T>(error: T, cards: readonly Card[]): T | ModelError {
  if (!(error instanceof ModelError) || error.code !== "context_overflow" || cards.length === 0) return error;
  const heaviest = [...cards].sort((a, b) => b.token_count - a.token_count).slice(0, NAMED_MAX);
  const lines = heaviest.map((card) => {
    const { title, type } = lineOf(card);
    return `${card.token_count.toLocaleString("en")} tokens: ${title || type} (${type} ${card.card_id})`;
  });
  const more = cards.length > heaviest.length ? ` of ${cards.length}` : "";
  return new ModelError(
    error.code,
    `${error.message}\nHeaviest cards${more}:\n${lines.join("\n")}\nHand over less of them, or use a model with a larger window.`,
    error.usage,
    error.partial,
  );
}
