// The dry run's answer as what a person reads: the cards in the order the model sees them, and what stayed behind.
import type { ConsistRun } from "@/server/contract/consist";
import type { LaunchPreview } from "@/server/contract/delegation";
import type { PackResult, ReceiptLine } from "@/server/contract/pack";

export type Answer = Extract<LaunchPreview, { ok: true }>;
export type SeenCard = NonNullable<PackResult["preview"]>[number];

/** The prompt in front of the box, weighed as what is not a message. */
export function systemTokens(answer: Answer): number {
  const { rendered } = answer.pack;
  if (rendered === undefined) return 0;
  return Math.max(0, rendered.tokens - rendered.messages.reduce((sum, message) => sum + message.tokens, 0));
}

/** What fills the window: the prompt, then the cards in order. */
export function seenConsist(answer: Answer): ConsistRun[] {
  const cards = (answer.pack.preview ?? []).map((card) => ({ role: card.role, tokens: card.token_count }));
  const system = systemTokens(answer);
  return system === 0 ? cards : [{ role: "system", tokens: system }, ...cards];
}

export const totalTokens = (answer: Answer): number =>
  answer.pack.rendered?.tokens ?? answer.pack.receipt.included_tokens;

export const windowTokens = (answer: Answer): number | null => answer.pack.rendered?.window_tokens ?? null;

export const leftOut = (answer: Answer): ReceiptLine[] =>
  answer.pack.receipt.lines.filter((line) => line.verdict !== "included");

/** The first line that says something: brackets of JSON and marks of Markdown do not. */
export function firstLine(text: string): string {
  const line = text.split("\n", 40).find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? "";
  return line
    .replace(/^[\s>#*-]+/, "")
    .trim()
    .slice(0, 240);
}
