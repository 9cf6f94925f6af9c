"use client";

// The packed box in order, card by card; what stayed behind follows, with its reason. A chosen card is read below.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState, useSyncExternalStore } from "react";
import { formatNumber } from "@/components/ui/format";
import { OriginMark } from "@/components/ui/origin-mark";
import { RoleTag } from "@/components/ui/role-tag";
import { originKind } from "@/server/contract/box";
import { LeftOutRow } from "./left-out-row";
import { type OrderRow, orderRows } from "./order-rows";
import { PreviewCard } from "./preview-card";
import { firstLine, type PackAnswer } from "./seen-cards";

const ROW = { fine: 27, coarse: 44 };

export function PreviewOrder({ projectId, answer }: { projectId: string; answer: PackAnswer }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = orderRows(answer);
  const height = useIsCoarse() ? ROW.coarse : ROW.fine;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  });
  const open = chosen === null ? undefined : rows[chosen];
  return (
    <>
      <div className="flex h-6 flex-none items-center px-4 text-ink-3 text-note">
        <span>Order the model reads</span>
        <span className="flex-1" />
        <span>Tokens</span>
      </div>
      <div ref={scroller} className="launch-order">
        {/* biome-ignore lint/a11y/useSemanticElements: rows are drawn by place, a list element per row is what counts. */}
        <div role="list" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              // biome-ignore lint/a11y/useSemanticElements: see above.
              <div
                key={item.key}
                role="listitem"
                aria-setsize={rows.length}
                aria-posinset={item.index + 1}
                className="absolute top-0 left-0 w-full"
                style={{ height, transform: `translateY(${item.start}px)` }}
              >
                <RowView
                  row={row}
                  isChosen={item.index === chosen}
                  onChoose={() => setChosen(item.index === chosen ? null : item.index)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {open?.kind === "card" || open?.kind === "prompt" ? <PreviewCard projectId={projectId} row={open} /> : null}
    </>
  );
}

function RowView({ row, isChosen, onChoose }: { row: OrderRow; isChosen: boolean; onChoose: () => void }) {
  if (row.kind === "note") return <p className="px-4 pt-2 text-ink-3 text-note">{row.text}</p>;
  if (row.kind === "left") return <LeftOutRow line={row.line} />;
  const isPrompt = row.kind === "prompt";
  return (
    <button
      type="button"
      aria-expanded={isChosen}
      onClick={onChoose}
      className="launch-order-row"
      data-quiet={isPrompt || undefined}
    >
      <span className="launch-order-number">{isPrompt ? "" : row.place}</span>
      <RoleTag cardRole={isPrompt ? "system" : row.card.role} />
      <span className="mono min-w-[104px] flex-none">{isPrompt ? "system prompt" : row.card.type}</span>
      <span className="min-w-0 flex-1 truncate text-ink-2">{firstLine(isPrompt ? row.text : row.card.text)}</span>
      <OriginMark origin={isPrompt ? "profile" : originKind(row.card.origin)} size={12} className="text-ink-3" />
      <b className="w-10 flex-none text-right">{formatNumber(isPrompt ? row.tokens : row.card.token_count)}</b>
    </button>
  );
}

/** A finger needs 44 pixels to hit a row. */
function useIsCoarse(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(COARSE);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => matchMedia(COARSE).matches,
    () => false,
  );
}

const COARSE = "(pointer: coarse)";
