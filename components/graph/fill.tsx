// How full a turn's window is, in one figure: on a wagon, on a phone's line and in the timeline the same.
import { gaugeTitle } from "@/components/domain/gauge-words";
import { formatCompact } from "@/components/ui/format";
import type { TurnFrame } from "@/server/contract/frame";
import { gaugeOf, gaugePercent, heldTokens, TIGHT_PERCENT } from "@/server/contract/tokens";

/** `calm`: its classes while the window is not nearly full. */
export function Fill({ turn, className, calm = "" }: { turn: TurnFrame; className: string; calm?: string }) {
  const gauge = gaugeOf(turn);
  if (gauge === null) return null;
  const percent = gaugePercent(gauge);
  const isTight = percent !== null && percent >= TIGHT_PERCENT;
  return (
    <span
      data-gauge={gauge.tokens}
      className={`${className} ${isTight ? "font-[650] text-st-partial" : `text-ink-3 ${calm}`}`}
      title={gaugeTitle(gauge, heldTokens(turn))}
    >
      {percent === null ? formatCompact(gauge.tokens) : `${percent}%`}
    </span>
  );
}
