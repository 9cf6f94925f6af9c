"use client";

// The box as areas: what fills it, at a glance. For the eye and the pointer only: the list by weight beside it says the same, and
// has the keys.
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { formatCount, formatNumber, formatPercent } from "@/components/ui/format";
import type { BoxWeights } from "@/server/contract/line";
import { type Rect, squarify } from "./squarify";
import { type Tile, tilesOf } from "./tiles-of";
import "./treemap.css";

export type TreemapProps = {
  weights: BoxWeights;
  selected: number | null;
  onPick: (position: number) => void;
};

export function Treemap({ weights, selected, onPick }: TreemapProps) {
  const ground = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ground.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const tiles = useMemo(() => tilesOf(weights.roles, weights.tokens), [weights]);
  const rects = useMemo(
    () =>
      squarify(
        tiles.map((tile) => tile.tokens),
        size,
      ),
    [tiles, size],
  );
  const total = tiles.reduce((sum, tile) => sum + tile.tokens, 0);
  return (
    <div ref={ground} className="treemap" aria-hidden>
      <svg width={size.width} height={size.height}>
        <title>Cards by weight</title>
        <defs>
          <pattern id="treemap-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V6" stroke="var(--role-tool)" strokeOpacity="0.4" strokeWidth="2" />
          </pattern>
        </defs>
        {tiles.map((tile, i) => {
          const rect = rects[i];
          return rect === undefined ? null : (
            <TileShape
              key={tile.position}
              tile={tile}
              {...rect}
              total={total}
              isSelected={tile.position === selected}
              onPick={onPick}
            />
          );
        })}
      </svg>
    </div>
  );
}

type TileProps = Rect & { tile: Tile; total: number; isSelected: boolean; onPick: (position: number) => void };

const gap = 1;

const TileShape = memo(function TileShape({ tile, total, isSelected, onPick, ...rect }: TileProps) {
  const box = {
    x: rect.x + gap,
    y: rect.y + gap,
    width: Math.max(0.5, rect.width - 2 * gap),
    height: Math.max(0.5, rect.height - 2 * gap),
  };
  const { role, tokens, cards, position } = tile;
  const letter = role?.charAt(0).toUpperCase();
  const name = role === null ? `${formatNumber(cards)} more` : `${letter} ${formatNumber(position + 1)}`;
  const says =
    role === null ? `${formatCount(cards, "card")} more, together` : `Card ${formatNumber(position + 1)}, ${role}:`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the listbox beside it is the way for a keyboard.
    <g className="treemap-tile" data-role={role ?? undefined} onClick={() => onPick(position)}>
      <title>{`${says} ${formatNumber(tokens)} tokens, ${formatPercent(tokens, total)}`}</title>
      <rect {...box} className="treemap-fill" />
      {role === "tool" ? <rect {...box} fill="url(#treemap-hatch)" /> : null}
      <rect {...box} className="treemap-edge" data-selected={isSelected || undefined} />
      {box.width >= 13 && box.height >= 15 ? (
        <text className="treemap-name" x={box.x + 4} y={box.y + 13}>
          {box.width >= 8 + 7 * name.length ? name : (letter ?? "")}
        </text>
      ) : null}
      {box.width >= 48 && box.height >= 32 ? (
        <text className="treemap-tokens" x={box.x + 4} y={box.y + 27}>
          {formatNumber(tokens)}
        </text>
      ) : null}
    </g>
  );
});
