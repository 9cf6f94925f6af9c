"use client";

// The head of the box page: its plate, what it is, how much of the window it takes, and what one can do with it.
import { WindowGauge } from "@/components/domain/window-gauge";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Ago, Clock } from "@/components/ui/time";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { usePackWith } from "@/components/ui/use-pack-with";
import { boxPlate } from "@/server/contract/box";
import type { BoxSheet } from "@/server/contract/line";
import { gaugeOf } from "@/server/contract/tokens";
import { isEnded } from "@/server/contract/turn";
import { boxTitle } from "./box-words";

export type BoxHeadProps = {
  sheet: BoxSheet;
  cards: readonly ConsistCard[];
  isLive: boolean;
  onFork: () => void;
  /** Starts choosing cards, or ends it. */
  onPick: () => void;
  isPicking: boolean;
};

const plateTurnsMax = 4;

export function BoxHead({ sheet, cards, isLive, onFork, onPick, isPicking }: BoxHeadProps) {
  const packWith = usePackWith();
  const launchWith = useLaunchWith();
  const base = `/p/${encodeURIComponent(sheet.project_id)}`;
  const turns = sheet.turns.slice(0, plateTurnsMax);
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Plate code={boxPlate(sheet.box_id)} tone="ink" size="lg" title={sheet.box_id} />
      <div className="min-w-0">
        <h1 dir="auto" className="truncate text-h1">
          {boxTitle(sheet)}
        </h1>
        <p className="flex flex-wrap items-center gap-x-1 text-ink-2">
          {formatCount(sheet.length, "card")}, {formatNumber(sheet.token_sum)} tokens,{" "}
          <Sealed sheet={sheet} isLive={isLive} />
          {sheet.receipt?.recipe ? (
            <span className="min-w-0 truncate">
              by recipe {sheet.receipt.recipe.name}@{sheet.receipt.recipe.version}
            </span>
          ) : null}
        </p>
      </div>
      <HeadGauge sheet={sheet} cards={cards} />
      <span className="flex-1" />
      <div className="flex flex-wrap items-center gap-1.5 max-sm:w-full">
        {turns.map((turn) => (
          <Link
            key={`${turn.agent_turn_id} ${turn.use}`}
            href={`${base}?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`}
            title={`${turn.profile_name} ${turn.headcode}: ${turn.status}. Show it in the yard.`}
            className="flex items-center gap-1 rounded-2 px-1 py-1 hover:bg-raise"
          >
            <Aspect status={turn.status} />
            <Plate code={turn.headcode} />
          </Link>
        ))}
        {sheet.turn_count > turns.length ? (
          <span className="text-ink-3" title={`${sheet.turn_count} turns use this box. The newest are shown.`}>
            {turns.length} of {formatNumber(sheet.turn_count)} turns
          </span>
        ) : null}
        <Button icon="check" aria-pressed={isPicking} disabled={sheet.length === 0} onClick={onPick}>
          Choose cards
        </Button>
        <Button icon="fork" onClick={onFork}>
          Fork
        </Button>
        <Button icon="packs" onClick={() => packWith({ boxes: [sheet.box_id] })}>
          Pack
        </Button>
        <Link className="btn" href={`${base}/packs/new?from=box:${sheet.box_id}`}>
          <Icon name="packs" size={15} />
          Context pack
        </Link>
        <Button icon="launch" onClick={() => launchWith({ boxes: [sheet.box_id] })}>
          Use in a launch
        </Button>
        <CopyButton text={sheet.box_id} label="Copy the box id" className="max-sm:hidden" />
      </div>
    </header>
  );
}

function Sealed({ sheet, isLive }: { sheet: BoxSheet; isLive: boolean }) {
  const isWritten = sheet.kind === "output" && sheet.turns.some((turn) => !isEnded(turn.status));
  if (!isWritten)
    return (
      <span>
        {endWords[sheet.kind] ?? "created"} <Clock at={sheet.updated_at} />
      </span>
    );
  return (
    <span className="flex items-center gap-1">
      {isLive ? "growing, last" : "written"} <Ago at={sheet.updated_at} />
    </span>
  );
}

const endWords: Partial<Record<BoxSheet["kind"], string>> = {
  context: "sealed",
  output: "last written",
  import: "imported",
};

/** How full the window of its newest reader is; a box that nobody reads has only its own weight, which stands beside it. */
function HeadGauge({ sheet, cards }: Pick<BoxHeadProps, "sheet" | "cards">) {
  const reader = sheet.turns.find((turn) => turn.use === "context" || turn.use === "output");
  const gauge = reader === undefined ? null : gaugeOf(reader);
  if (reader === undefined || gauge === null) return null;
  return (
    <div className="w-[360px] max-sm:w-full sm:ml-6">
      <WindowGauge
        gauge={gauge}
        of={reader.headcode}
        reported={sheet.reported_tokens}
        cards={cards}
        held={sheet.token_sum}
      />
    </div>
  );
}
