"use client";

// The order the model reads, each card with its weight to scale beside it. What is loaded moves by its handle, or with Alt and the
// arrows; everything else stands where the hand-over puts it.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { cardRoles } from "@/components/ui/card-role";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { OriginMark } from "@/components/ui/origin-mark";
import { plainWords } from "@/components/ui/plain-words";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { useComposer, usePlan } from "../composer-context";
import { named } from "../draft/edits";
import { type CardRow, type OrderRow, type Section, stretches } from "./order-rows";

const ROW = 30;
const SCALE = 470;

type Dragged = { row: CardRow; from: number; to: number; x: number; y: number };

export function OrderList({ place, rows }: { place: string; rows: readonly OrderRow[] }) {
  const plan = usePlan();
  const { store } = useComposer();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<Dragged | null>(null);
  const [lit, setLit] = useState<string | null>(null);
  const isMoved = (row: OrderRow): boolean => drag !== null && row.kind === "card" && row.index === drag.from;

  function move(from: number, to: number, words: string) {
    const part = rowsOf(rows, from)[0];
    if (from === to || !part) return;
    const load = loadAt(from);
    if (!load) return;
    const refused = store.change({
      label: `${named(plan, place)}: ${words} is number ${to + 1}`,
      ops: [{ op: "move_load", to: place, load, at: to, index: from }],
    });
    if (!refused)
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
  }
  const loads = () => {
    const part = store.get().plan;
    const node = part.nodes.find(({ id }) => id === place.split(".")[0]);
    const task = node?.kind === "fork" ? node.tasks.find(({ id }) => `${node.id}.${id}` === place) : undefined;
    return (task ?? node)?.load ?? [];
  };
  const loadAt = (index: number) => loads()[index];

  function onKeyDown(event: KeyboardEvent, row: OrderRow) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 && event.key !== "Backspace" && event.key !== "Delete") return;
    if (step !== 0 && event.altKey && row.kind === "card" && row.index !== null) {
      event.preventDefault();
      event.stopPropagation();
      const to = row.index + step;
      if (to >= 0 && to < loads().length) move(row.index, to, row.text);
    } else if (step !== 0) {
      event.preventDefault();
      event.stopPropagation();
      const all = [...(list.current?.querySelectorAll<HTMLElement>("li[tabindex]") ?? [])];
      all[all.indexOf(event.currentTarget as HTMLElement) + step]?.focus();
    } else if ((event.metaKey || event.ctrlKey) && row.kind === "card" && row.index !== null) {
      event.preventDefault();
      event.stopPropagation();
      const load = loadAt(row.index);
      if (load)
        store.change({
          label: `${named(plan, place)} no longer loads ${row.text}`,
          ops: [{ op: "remove_load", to: place, load, index: row.index }],
        });
    }
  }

  function onPointerDown(event: PointerEvent<HTMLElement>, row: CardRow) {
    if (event.button !== 0 || row.index === null) return;
    const from = row.index;
    event.preventDefault();
    // Preventing the default keeps the focus where it was, and Alt with the arrows would not reach the row.
    event.currentTarget.focus();
    const at = (y: number): number => {
      const items = [...(list.current?.querySelectorAll<HTMLElement>("li[data-index]") ?? [])];
      const over = items.find((item) => {
        const { top, bottom } = item.getBoundingClientRect();
        return y >= top && y < bottom;
      });
      if (over) return Number(over.dataset.index);
      const first = items[0]?.getBoundingClientRect();
      return first && y < first.top ? 0 : Math.max(0, loads().length - 1);
    };
    const onMove = (now: globalThis.PointerEvent) =>
      setDrag({ row, from, to: at(now.clientY), x: now.clientX, y: now.clientY });
    const end = () => {
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onUp);
      window.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", onKey, true);
      setDrag(null);
    };
    const onUp = (now: globalThis.PointerEvent) => {
      end();
      move(from, at(now.clientY), row.text);
    };
    const onKey = (now: globalThis.KeyboardEvent) => {
      if (now.key !== "Escape") return;
      now.preventDefault();
      now.stopPropagation();
      end();
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onUp);
    window.addEventListener("pointercancel", end);
    window.addEventListener("keydown", onKey, true);
  }

  return (
    <div className="order-middle">
      <header className="order-head">
        <span className="order-scale-head">To scale</span>
        <span className="flex-1">In the order the model reads</span>
        <span>from</span>
        <span className="w-20 text-right">Tokens</span>
      </header>
      <div className="order-body">
        <Scale rows={rows} lit={lit} />
        <ol ref={list} aria-label="Order the model reads" className="order-rows">
          {rows.map((row) =>
            row.kind === "head" ? (
              <li key={`head ${row.section}`} className="order-section">
                {heads[row.section].mark}
                <b>{heads[row.section].words}</b>
                <span className="text-ink-3 text-note">{heads[row.section].note}</span>
              </li>
            ) : row.kind === "left" ? (
              <li key={row.key} className="order-row" data-left="">
                <VerdictMark verdict="withheld" size={13} label="left out" />
                <s className="min-w-0 flex-1 truncate">{row.words}</s>
                <span className="truncate text-ink-3">{row.reason}</span>
                <b className="w-16 text-right">
                  <s>{formatNumber(row.tokens)}</s>
                </b>
              </li>
            ) : (
              <li
                key={row.key}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a row takes keys: the arrows walk, with Alt they move it
                tabIndex={0}
                aria-label={spoken(row)}
                className="order-row"
                data-index={row.index ?? undefined}
                data-drop={drag?.to === row.index && row.index !== null ? "" : undefined}
                data-moved={isMoved(row) ? "" : undefined}
                onKeyDown={(event) => onKeyDown(event, row)}
                onPointerDown={(event) => onPointerDown(event, row)}
                onPointerEnter={() => setLit(row.key)}
                onPointerLeave={() => setLit(null)}
                onFocus={() => setLit(row.key)}
                onBlur={() => setLit(null)}
              >
                <Icon name={row.index === null ? "lock" : "drag"} size={12} className="flex-none text-ink-3" />
                <span className="order-rank">{row.rank ?? ""}</span>
                <i
                  className="order-bar role-fill"
                  data-role={row.role}
                  data-faded={row.weight === "known" ? undefined : ""}
                />
                <span className="mono w-36 flex-none truncate text-ink-2">{row.type}</span>
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {plainWords(firstLine(row.text))}
                </span>
                <span dir="auto" className="max-w-44 flex-none truncate text-ink-3">
                  {row.from}
                </span>
                <b className="w-16 flex-none text-right">{weightWords(row)}</b>
              </li>
            ),
          )}
        </ol>
      </div>
      {drag ? (
        <p className="order-dragged" style={{ left: drag.x + 10, top: drag.y + 8 }} aria-hidden>
          <Icon name="drag" size={12} /> {firstLine(drag.row.text)} <b>{weightWords(drag.row)}</b>
          <span className="text-ink-3">
            {drag.from + 1} → {drag.to + 1}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** The weight of each card as a stretch, and a ribbon from it to its row. */
function Scale({ rows, lit }: { rows: readonly OrderRow[]; lit: string | null }) {
  const at = new Map(rows.map((row, i) => [row.kind === "head" ? row.section : row.key, i * ROW]));
  const all = stretches(rows, SCALE);
  const last = all.at(-1);
  const height = Math.max(rows.length * ROW, last ? last.y + last.h : 0) + 12;
  return (
    <svg className="order-scale" width={116} height={height} aria-hidden="true">
      {all.map(({ row, y, h }) => {
        const to = at.get(row.key) ?? 0;
        return (
          <path
            key={row.key}
            className="order-ribbon"
            data-lit={row.key === lit ? "" : undefined}
            d={`M112 ${to + 3}C84 ${to + 3} 84 ${y} 56 ${y}V${y + h}C84 ${y + h} 84 ${to + ROW - 3} 112 ${to + ROW - 3}z`}
          />
        );
      })}
      <defs>
        {cardRoles.map((role) => (
          <pattern key={role} id={`order-hatch-${role}`} width="4" height="4" patternUnits="userSpaceOnUse">
            <path className="order-hatch" data-role={role} d="M1 0V4" />
          </pattern>
        ))}
      </defs>
      {all.map(({ row, y, h }) => (
        <rect
          key={row.key}
          className="order-stretch"
          data-role={row.role}
          data-weight={row.weight}
          data-lit={row.key === lit ? "" : undefined}
          x={30}
          y={y}
          width={26}
          height={h}
          style={row.weight === "estimated" ? { fill: `url(#order-hatch-${row.role})` } : undefined}
        />
      ))}
    </svg>
  );
}

const heads: Record<Section, { words: string; note: string; mark: React.ReactNode }> = {
  memory: {
    words: "What it remembers",
    note: "its own turns before; always first",
    mark: <KindMark kind="reuse" size={13} label={null} />,
  },
  load: {
    words: "Loaded",
    note: "drag, or Alt and the arrows",
    mark: <OriginMark origin="inherited" size={13} label={null} />,
  },
  own: {
    words: "Instruction",
    note: "and what is handed over with it",
    mark: <OriginMark origin="packed" size={13} label={null} />,
  },
};

const rowsOf = (rows: readonly OrderRow[], index: number): CardRow[] =>
  rows.filter((row): row is CardRow => row.kind === "card" && row.index === index);

/** One line of it, whatever it is written in. */
const firstLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const weightWords = ({ weight, tokens }: CardRow): string =>
  weight === "unknown" ? "not known" : `${weight === "estimated" ? "~" : ""}${formatNumber(tokens)}`;

const spoken = (row: CardRow): string =>
  [
    row.rank === null ? "" : `${row.rank}`,
    row.type,
    firstLine(row.text),
    weightWords(row) + (row.weight === "unknown" ? "" : " tokens"),
    row.index === null ? "stays where it is" : "Alt and the arrows move it",
  ]
    .filter(Boolean)
    .join(", ");
