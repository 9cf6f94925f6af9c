// One card of a box as a row: place, role, type, tokens, its first words, where it came from, and the running total.
import { memo } from "react";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { OriginMark } from "@/components/ui/origin-mark";
import { plainTitle } from "@/components/ui/plain-words";
import { RoleBar, RoleTag } from "@/components/ui/role-tag";
import { Skeleton } from "@/components/ui/skeleton";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { originKind } from "@/server/contract/box";
import type { BoxLine, BoxSheet } from "@/server/contract/line";
import { originWords } from "./origin-text";

export type CardRowProps = {
  id: string;
  line: BoxLine | undefined;
  position: number;
  count: number;
  top: number;
  height: number;
  isSelected: boolean;
  /** Chosen for a box of its own; null while no choosing goes on. */
  isPicked: boolean | null;
  /** Tokens up to and with this card, in the order shown. */
  upTo: string;
  isMistake: boolean;
  origins: BoxSheet["origins"];
  onPick: (position: number) => void;
  onPoint: (position: number | null) => void;
};

export const CardRow = memo(function CardRow(props: CardRowProps) {
  const { id, line, position, count, top, height, isSelected, isPicked, isMistake, onPick, onPoint } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox around it has the keys and names this row as the active one.
    // biome-ignore lint/a11y/useFocusableInteractive: the listbox keeps the focus, so that scrolling never loses it.
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-checked={isPicked ?? undefined}
      aria-posinset={position + 1}
      aria-setsize={count}
      className="box-row"
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={() => onPick(position)}
      onPointerEnter={() => onPoint(position)}
      onPointerLeave={() => onPoint(null)}
    >
      <span className="box-place">
        {formatNumber(position + 1)}
        {isPicked === null ? null : (
          <span className="box-pick">{isPicked ? <Icon name="check" size={12} /> : null}</span>
        )}
      </span>
      {line === undefined ? (
        <span />
      ) : (
        <RoleBar cardRole={line.role} className={`my-[9px] ${line.gone === undefined ? "" : "opacity-40"}`} />
      )}
      {line === undefined ? <RowSkeleton /> : <RowText {...props} line={line} isMistake={isMistake} />}
    </div>
  );
});

function RowText({ line, upTo, isMistake, origins }: CardRowProps & { line: BoxLine }) {
  const origin = originWords(line.origin, origins);
  return (
    <div className="min-w-0 pt-[9px] pr-3 pl-2.5">
      <div className="flex items-center gap-[7px]">
        <RoleTag cardRole={line.role} />
        <span className="mono relative top-px truncate text-[11.5px]">{line.type}</span>
        {line.redacted_from === undefined ? null : (
          <span className="flex flex-none items-center gap-1 font-semibold text-[11px] text-ink-2">
            <VerdictMark verdict="redacted" size={13} label={null} />
            redacted
          </span>
        )}
        {isMistake ? (
          <span className="flex flex-none items-center gap-1 font-semibold text-[11px] text-st-partial">
            <Icon name="warn" size={13} />
            mistake
          </span>
        ) : null}
        <span className="flex-1" />
        <b>{formatNumber(line.token_count)}</b>
      </div>
      <div
        dir="auto"
        className={`mt-px truncate leading-[18px] ${line.gone === undefined ? "text-ink-2" : "text-ink-3 line-through"}`}
      >
        {line.gone === undefined ? plainTitle(line.title) || "empty" : goneWords[line.gone]}
      </div>
      <div className="flex items-center gap-[5px] text-ink-3 text-note leading-[15px]">
        <OriginMark origin={originKind(line.origin)} size={12} label={null} />
        <span className="min-w-0 truncate">
          {origin.text}
          {origin.code === undefined ? null : <span className="mono text-[10.5px]"> {origin.code}</span>}
          {origin.headcode === undefined ? null : `${origin.code === undefined ? " " : ", "}${origin.headcode}`}
        </span>
        <span className="flex-1" />
        <span className="flex-none">{upTo}</span>
      </div>
    </div>
  );
}

function RowSkeleton() {
  return (
    <div className="pt-3 pr-3 pl-2.5">
      <Skeleton className="h-2.5 w-2/5" />
      <Skeleton className="mt-2.5 h-2.5 w-4/5" />
    </div>
  );
}

const goneWords: Record<NonNullable<BoxLine["gone"]>, string> = {
  deleted: "content deleted",
  expired: "content expired",
};
