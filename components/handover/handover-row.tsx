// One card across the three columns, with the track it took: as heavy as the card, stopped where it stayed behind.
import type { HandoverRow } from "@/server/contract/handover-diff";
import { HandoverCell } from "./handover-cell";
import { VerdictSign } from "./verdict-sign";
import type { Crossing, DrawnRow } from "./view/aligned-rows";
import { verdictNames } from "./view/verdict-words";

export type HandoverRowLineProps = { drawn: DrawnRow; isShown: boolean; onShow: (card: string) => void };

export function HandoverRowLine({ drawn, isShown, onShow }: HandoverRowLineProps) {
  const { key, row, crossings, weight } = drawn;
  const signAt = signPlace(row, crossings);
  return (
    <button
      type="button"
      data-row
      className="handover-row"
      data-verdict={row.verdict}
      aria-current={isShown ? "true" : undefined}
      onClick={() => onShow(key)}
    >
      <span className="sr-only">{verdictNames[row.verdict]}. </span>
      {row.had === undefined && row.packed === undefined && row.saw === undefined ? (
        <HandoverCell line={row.card} row={row} column="had" />
      ) : (
        <HandoverCell line={row.had} row={row} column="had" />
      )}
      <Gap crossing={crossings[0]} weight={weight} verdict={signAt === 0 ? row.verdict : null} />
      <HandoverCell line={row.packed} row={row} column="packed" />
      <Gap crossing={crossings[1]} weight={weight} verdict={signAt === 1 ? row.verdict : null} />
      <HandoverCell line={row.saw} row={row} column="saw" />
      {row.differs ? (
        <span className="handover-differs" title="Not all branches were given it">
          ≠<span className="sr-only"> differs between branches</span>
        </span>
      ) : null}
    </button>
  );
}

/** The gap in which it happened; a card that simply passed needs no sign. */
function signPlace({ verdict, packed }: HandoverRow, [first]: readonly [Crossing, Crossing]): 0 | 1 | null {
  if (verdict === "passed") return null;
  if (verdict === "not_sent") return 1;
  return first === "none" && packed === undefined ? 1 : 0;
}

type GapProps = { crossing: Crossing; weight: number; verdict: HandoverRow["verdict"] | null };

function Gap({ crossing, weight, verdict }: GapProps) {
  return (
    <span className="handover-gap" data-crossing={crossing} aria-hidden>
      {crossing === "none" ? null : <i style={{ height: weight }} />}
      {verdict === null ? null : <VerdictSign verdict={verdict} isNamed />}
    </span>
  );
}
