"use client";

// The yard as a table: turns under those that called them, with their figures in columns. An equal way to every turn, for those who read
// tables better than plans. The grid keeps the focus and names the active row, so that scrolling 10,000 rows never loses it.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { useShortcut } from "@/components/ui/shortcuts";
import { useIsPhone } from "@/components/ui/use-is-phone";
import { useHasTimes } from "../use-run";
import { useTopology, useTurns, useYard, useYardNow } from "../yard-context";
import { treeColumns } from "./tree-columns";
import { TreeRowView } from "./tree-row";
import { callersOf, type TreeKey, treeKey, treeRows } from "./tree-rows";
import "./tree.css";

const ROWS = { desk: 34, phone: 44 };
/** What it is taken to be until it has been measured. */
const firstRect = { width: 900, height: 720 };
const noneClosed: ReadonlySet<string> = new Set();

export function TreeTable() {
  const { matches, selectedId, select, openTurn } = useYard();
  const { scope } = useTopology();
  const turns = useTurns();
  const hasTimes = useHasTimes(scope);
  const now = useYardNow();
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const rowPx = useIsPhone() ? ROWS.phone : ROWS.desk;
  const byId = useMemo(() => new Map(turns.map((turn) => [turn.agent_turn_id, turn])), [turns]);
  const [closed, setClosed] = useState(noneClosed);
  // A link to a turn, or a step of the yard, shows it: what is closed above it opens.
  const [shown, setShown] = useState<string | null>(null);
  if (shown !== selectedId) {
    setShown(selectedId);
    const above = selectedId === null ? [] : callersOf(byId, selectedId).filter((caller) => closed.has(caller));
    if (above.length > 0) setClosed(new Set([...closed].filter((one) => !above.includes(one))));
  }
  const rows = useMemo(() => treeRows({ turns, closed, matches }), [turns, closed, matches]);
  const at = rows.findIndex((row) => row.turn.agent_turn_id === selectedId);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
    paddingStart: rowPx,
    scrollPaddingStart: rowPx,
    initialRect: firstRect,
  });
  const revealed = useRef<string | null>(null);
  useLayoutEffect(() => {
    // Only a new choice moves the table; growth leaves it where the reader has put it.
    if (at < 0 || revealed.current === selectedId) return;
    virtual.scrollToIndex(at, { align: revealed.current === null ? "center" : "auto" });
    revealed.current = selectedId;
  }, [at, selectedId, virtual]);

  const toggle = (turnId: string) => {
    const isClosing = !closed.has(turnId);
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(turnId)) next.add(turnId);
      return next;
    });
    // What is selected is never hidden.
    if (isClosing && selectedId !== null && callersOf(byId, selectedId).includes(turnId)) select(turnId);
  };
  const act = ({ select: to, toggle: turned }: TreeKey) => {
    if (to !== undefined) select(to);
    if (turned !== undefined) toggle(turned);
  };
  const step = (key: string): boolean => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx) - 2);
    const done = treeKey(rows, at, key, page);
    if (done !== null) act(done);
    return done !== null;
  };
  useShortcut(["j", "down"], "Row below", () => step("ArrowDown"), { group: "Tree" });
  useShortcut(["k", "up"], "Row above", () => step("ArrowUp"), { group: "Tree" });
  useShortcut("right", "Open the row, or go into it", () => step("ArrowRight"), { group: "Tree" });
  useShortcut("left", "Close the row, or go to its caller", () => step("ArrowLeft"), { group: "Tree" });

  function onKeyDown(event: KeyboardEvent) {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target !== event.currentTarget) return;
    if (event.key === "Enter" && selectedId !== null) openTurn(selectedId);
    else if (!step(event.key)) return;
    event.preventDefault();
  }

  if (rows.length === 0)
    return (
      <div className="min-h-0 flex-1">
        <EmptyState
          title="No matching turns"
          cause="No turn of this run fits the filter. Change the words or the statuses above."
        />
      </div>
    );
  const drawn = virtual.getVirtualItems();
  const isDrawn = drawn.some((item) => item.index === at);
  return (
    <div ref={scroller} className="tree-table" style={{ "--tree-row": `${rowPx}px` } as CSSProperties}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a treegrid is a table that takes the arrows
        role="treegrid"
        aria-label={`${rows.length} turns, each under its caller`}
        aria-rowcount={rows.length + 1}
        aria-colcount={treeColumns.length}
        aria-activedescendant={isDrawn ? `${id}-${selectedId}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr aria-rowindex={1} className="tree-row tree-head">
            {treeColumns.map(({ key, name, isRight }, index) => (
              <th
                key={key}
                scope="col"
                aria-colindex={index + 1}
                data-column={key}
                className={isRight ? "text-right" : undefined}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="tree-rows" style={{ height: virtual.getTotalSize() - rowPx }}>
          {drawn.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <TreeRowView
                key={row.turn.agent_turn_id}
                id={`${id}-${row.turn.agent_turn_id}`}
                row={row}
                index={item.index + 2}
                top={item.start - rowPx}
                isSelected={item.index === at}
                hasTimes={hasTimes}
                now={now}
                onSelect={select}
                onToggle={toggle}
                onOpen={openTurn}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
