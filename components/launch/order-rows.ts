// The rows of the order: the prompt, the cards, what is counted and not listed, and what does not travel.
import { formatNumber } from "@/components/ui/format";
import type { ReceiptLine } from "@/server/contract/pack";
import { leftOut, type PackAnswer, type SeenCard, seenRows, systemTokens } from "./seen-cards";

export type OrderRow =
  | { kind: "prompt"; tokens: number; text: string }
  | { kind: "card"; card: SeenCard; place: number }
  | { kind: "note"; text: string }
  | { kind: "left"; line: ReceiptLine };

export function orderRows(answer: PackAnswer): OrderRow[] {
  const { rendered, receipt } = answer.pack;
  const left = leftOut(answer);
  return [
    ...(rendered === undefined
      ? []
      : [{ kind: "prompt" as const, tokens: systemTokens(rendered), text: rendered.system }]),
    ...seenRows(answer).map(
      (row): OrderRow =>
        "skipped" in row
          ? {
              kind: "note",
              text: `${formatNumber(row.skipped)} cards in between are not listed. Open the box to read them`,
            }
          : { kind: "card", ...row },
    ),
    ...(left.length === 0
      ? []
      : [{ kind: "note" as const, text: `Left out: ${formatNumber(receipt.left_out_cards)}` }]),
    ...left.map((line) => ({ kind: "left" as const, line })),
  ];
}
