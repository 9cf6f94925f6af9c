// The head of a column of cards: how many, how many tokens, and the cards to the scale of the columns beside it.
import { Consist } from "@/components/ui/consist";
import { formatCount, formatNumber } from "@/components/ui/format";
import { parseConsist } from "@/server/contract/consist";
import type { ColumnWeight } from "@/server/contract/handover-diff";

export type ColumnHeadProps = {
  name: string;
  weight: ColumnWeight;
  /** Tokens of the full width. */
  scale: number;
  heading: "h2" | "h3";
  /** With what it shares its scale. */
  beside: "the other column" | "the other columns";
};

export function ColumnHead({ name, weight, scale, heading: Heading, beside }: ColumnHeadProps) {
  return (
    <div className="handover-col-head">
      <div className="flex items-baseline gap-3">
        <Heading className="truncate font-semibold">{name}</Heading>
        <span className="flex-1" />
        <span className="flex-none text-ink-2">{formatCount(weight.cards, "card")}</span>
        <b className="flex-none font-semibold">
          {formatNumber(weight.tokens)}
          <span className="sr-only"> tokens</span>
        </b>
      </div>
      <Consist
        cards={parseConsist(weight.consist)}
        window={scale}
        notch={null}
        height={7}
        label={`${name}: ${formatNumber(weight.tokens)} tokens, to scale with ${beside}`}
      />
    </div>
  );
}
