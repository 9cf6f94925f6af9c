// The dry run's answer as what a person reads: the cards in the order the model sees them, and what stayed behind.
import { type ConsistRun, parseConsist } from "@/server/contract/consist";
import { type LaunchPreviewLines, PREVIEW_CARDS_END } from "@/server/contract/delegation";
import type { PackResult, ReceiptLine, Rendered } from "@/server/contract/pack";

export type Answer = Extract<LaunchPreviewLines, { ok: true }>;
/** Of a box that is packed by hand there is no target. */
export type PackAnswer = Pick<Answer, "pack" | "card_total" | "consist">;
export type SeenCard = NonNullable<PackResult["preview"]>[number];

/** A card with its place in the box, from 1; or how many are not listed. */
export type SeenRow = { card: SeenCard; place: number } | { skipped: number };

/** Prompt and tools in front of the box, weighed as what is not a message. */
export function systemTokens(rendered: Rendered | undefined): number {
  if (rendered === undefined) return 0;
  return Math.max(0, rendered.tokens - rendered.messages.reduce((sum, message) => sum + message.tokens, 0));
}

/** What fills the window: the prompt, then the cards in order. */
export function seenConsist(answer: PackAnswer): ConsistRun[] {
  const system = systemTokens(answer.pack.rendered);
  const cards = parseConsist(answer.consist);
  return system === 0 ? cards : [{ role: "system", tokens: system }, ...cards];
}

export function seenRows(answer: PackAnswer): SeenRow[] {
  const cards = answer.pack.preview ?? [];
  const skipped = answer.card_total - cards.length;
  const rows = cards.map((card, index) => ({
    card,
    place: index + 1 + (index < PREVIEW_CARDS_END ? 0 : skipped),
  }));
  return skipped <= 0 ? rows : [...rows.slice(0, PREVIEW_CARDS_END), { skipped }, ...rows.slice(PREVIEW_CARDS_END)];
}

export const totalTokens = (answer: PackAnswer): number =>
  answer.pack.rendered?.tokens ?? answer.pack.receipt.included_tokens;

export const windowTokens = (answer: PackAnswer): number | null => answer.pack.rendered?.window_tokens ?? null;

export const leftOut = (answer: PackAnswer): ReceiptLine[] =>
  answer.pack.receipt.lines.filter((line) => line.verdict !== "included");

/** The first line that says something: brackets of JSON and marks of Markdown do not, and of a structure, its name or goal. */
export function firstLine(text: string): string {
  const lines = text.split("\n", 40);
  const named = lines.map((line) => /^ {2}"(?:title|name|goal|summary)": "(.+)",?$/.exec(line)?.[1]).find(Boolean);
  const line = named ?? lines.find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? "";
  return line
    .replace(/^[\s>#*-]+/, "")
    .trim()
    .slice(0, 240);
}
