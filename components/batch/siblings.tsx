"use client";

// The branches' loads on one scale, with what all of them were given alike faded: what differs is what they did.
import { gaugeTitle } from "@/components/domain/gauge-words";
import { Consist } from "@/components/ui/consist";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import { Plate } from "@/components/ui/plate";
import { Skeleton } from "@/components/ui/skeleton";
import type { Branch, SharedStart } from "@/server/contract/batch-sheet";
import { parseConsist } from "@/server/contract/consist";
import type { TurnFrame } from "@/server/contract/frame";
import { gaugeOf, gaugePercent } from "@/server/contract/tokens";
import { loadOf } from "./batch-words";

const shownMax = 12;
const ZOOM_BELOW = 0.4;

export function Siblings({ branches, shared }: { branches: readonly Branch[]; shared: SharedStart | undefined }) {
  const turns = branches.flatMap((branch) => branch.turn ?? []);
  const window = Math.max(0, ...turns.map((turn) => turn.window_tokens ?? 0));
  const most = Math.max(1, ...branches.map(loadOf));
  // In a large window small loads are all one hair wide; then they are drawn against the heaviest of them.
  const isZoomed = most < window * ZOOM_BELOW;
  // Where not all can be drawn, those that carry most.
  const heaviest = branches.toSorted((a, b) => loadOf(b) - loadOf(a)).slice(0, shownMax);
  const shown = branches.filter((branch) => branch.turn !== undefined && heaviest.includes(branch));
  return (
    <section aria-label="Loads">
      <h2 className="mb-2.5 flex items-baseline gap-2 font-semibold">
        {branches.length < 2 ? (
          "Load"
        ) : shared === undefined ? (
          <Skeleton className="h-2.5 w-40" />
        ) : shared.cards === 0 ? (
          "Contexts side by side"
        ) : (
          "Same start, different context"
        )}
        <span className="flex-1" />
        <span className="font-[450] text-ink-3">
          {turns.length > shown.length ? `${shown.length} of ${turns.length}, the largest; ` : ""}
          {`held in boxes, ${isZoomed || window === 0 ? "scaled to the largest" : `window ${formatCompact(window)}`}`}
        </span>
      </h2>
      {shown.length === 0 ? <p className="text-ink-3">No branch has a turn yet.</p> : null}
      <ul>
        {shown.map((branch) =>
          branch.turn === undefined ? null : (
            <li key={branch.batch_task_id} className="board-sibling">
              <Plate code={branch.turn.headcode} tone="bare" />
              <Consist
                cards={consistOf(branch.turn, shared?.tokens ?? 0)}
                window={isZoomed || window === 0 ? most : window}
                mark={isZoomed || window === 0 ? null : gaugeOf(branch.turn)?.tokens}
                notch={isZoomed || window === 0 ? null : 80}
                height={11}
                label={`${formatNumber(loadOf(branch))} tokens held`}
              />
              <Fill turn={branch.turn} />
            </li>
          ),
        )}
      </ul>
      {branches.length > 1 && shared !== undefined ? (
        <p className="mt-1.5 text-ink-2 text-note sm:pl-[46px]">
          {shared.cards === 0 ? (
            "They share no common start: each begins with a different card."
          ) : (
            <>
              The first <b className="text-ink">{formatNumber(shared.tokens)}</b> tokens,{" "}
              {formatCount(shared.cards, "card")}, are identical in all {formatNumber(branches.length)}.
            </>
          )}
        </p>
      ) : null}
    </section>
  );
}

/** The gauge of the turn; its bar shows what its boxes hold. */
function Fill({ turn }: { turn: TurnFrame }) {
  const gauge = gaugeOf(turn);
  if (gauge === null) return <span />;
  const percent = gaugePercent(gauge);
  return (
    <span className="text-right text-ink-2 text-note" data-gauge={gauge.tokens} title={gaugeTitle(gauge)}>
      {percent === null ? formatCompact(gauge.tokens) : `${percent}%`}
    </span>
  );
}

/** The context, cut where the shared part ends, and what was written after it. */
function consistOf(turn: TurnFrame, sharedTokens: number): ConsistCard[] {
  let left = sharedTokens;
  const given = parseConsist(turn.context_consist).flatMap((run): ConsistCard[] => {
    const faded = Math.min(left, run.tokens);
    left -= faded;
    const parts: ConsistCard[] = [];
    if (faded > 0) parts.push({ ...run, tokens: faded, faded: true });
    if (run.tokens > faded) parts.push({ ...run, tokens: run.tokens - faded });
    return parts;
  });
  return [...given, ...parseConsist(turn.output_consist)];
}
