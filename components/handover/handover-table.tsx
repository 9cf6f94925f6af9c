"use client";

// Three columns of cards: what the caller had, what was packed, what the callee saw. Aligned, the tracks between them are straight.
import { useMemo, useRef } from "react";
import { useRowKeys } from "@/components/ui/use-row-keys";
import type { HandoverSheet } from "@/server/contract/handover-diff";
import { ColumnHead } from "./column-head";
import { HandoverCell } from "./handover-cell";
import { HandoverRowLine } from "./handover-row";
import { alignedRows, type HadPart, readingRows } from "./view/aligned-rows";
import { thirdHead } from "./view/side-words";

export type HandoverTableProps = {
  sheet: HandoverSheet;
  order: "aligned" | "reading";
  /** The card of the row that is looked at. */
  card: string | null;
  onCard: (card: string) => void;
};

export function HandoverTable({ sheet, order, card, onCard }: HandoverTableProps) {
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list, "Hand-over", "card");
  const { caller, callee, had, packed, saw } = sheet;
  const columns = [
    { name: caller === undefined ? "Nobody called" : `What ${caller.headcode} had`, weight: had },
    { name: "What was packed", weight: packed },
    { name: thirdHead(callee), weight: saw },
  ];
  // One scale for all three, so that a shorter bar is a smaller column.
  const scale = Math.max(had.tokens, packed.tokens, saw.tokens);
  return (
    <div className="handover-scroll">
      <div className="handover-heads">
        {columns.map(({ name, weight }) => (
          <ColumnHead key={name} {...{ name, weight, scale }} heading="h2" beside="the other columns" />
        ))}
      </div>
      <div ref={list} className="handover-rows" data-order={order}>
        {order === "aligned" ? (
          <Aligned sheet={sheet} card={card} onCard={onCard} />
        ) : (
          <Reading sheet={sheet} card={card} onCard={onCard} />
        )}
      </div>
    </div>
  );
}

type RowsProps = Pick<HandoverTableProps, "sheet" | "card" | "onCard">;

function Aligned({ sheet, card, onCard }: RowsProps) {
  const drawn = useMemo(() => alignedRows(sheet.rows), [sheet.rows]);
  return drawn.map((one, index) =>
    "heading" in one ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a heading is its place.
      <div key={`heading ${index}`} className="handover-heading">
        <span>{one.heading.had === undefined ? "" : hadName(one.heading.had, sheet)}</span>
        <span>{one.heading.saw === undefined ? "" : sawWords[one.heading.saw]}</span>
      </div>
    ) : (
      <HandoverRowLine key={`${one.key} ${one.row.verdict}`} drawn={one} isShown={one.key === card} onShow={onCard} />
    ),
  );
}

function Reading({ sheet, card, onCard }: RowsProps) {
  const columns = useMemo(() => readingRows(sheet.rows), [sheet.rows]);
  return (["had", "packed", "saw"] as const).map((column) => (
    <ul key={column} className="handover-reading" data-column={column} aria-label={columnWords[column]}>
      {columns[column].map(({ key, row }) => (
        <li key={`${key} ${row.verdict}`}>
          <button
            type="button"
            data-row
            className="handover-alone"
            data-verdict={row.verdict}
            aria-current={key === card ? "true" : undefined}
            onClick={() => onCard(key)}
          >
            <HandoverCell line={row[column]} row={row} column={column} />
          </button>
        </li>
      ))}
    </ul>
  ));
}

const hadName = (part: HadPart, { caller }: HandoverSheet): string =>
  caller?.side === "offered" ? "What the person chose" : hadWords[part];
const hadWords = { system: "Its prompt and tools", context: "Its context", output: "What it had written" };
const sawWords = { system: "Its prompt and tools", context: "Its context", memory: "What it wrote earlier" };
const columnWords = { had: "What the caller had", packed: "What was packed", saw: "What the callee saw" };
