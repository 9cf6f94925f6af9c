"use client";

// The lineage of a box as a drawing: bands from its sources and to its readers, as wide as their tokens. The list below it says
// the same, and is the one for the keyboard.
import { useEffect, useRef, useState } from "react";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { layLineage, type Place } from "./lay-lineage";
import type { Lineage, LineageNode } from "./lineage-of";

export type LineageDrawingProps = { lineage: Lineage; plate: string; cards: number; tokens: number };

/** Of each side: a drawing is looked at whole. */
const SIDE_MAX = 12;

export function LineageDrawing({ lineage, plate, cards, tokens }: LineageDrawingProps) {
  const ground = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ground.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const left = heaviest(lineage.sources);
  const right = [...lineage.turns, ...lineage.heirs].slice(0, SIDE_MAX);
  const drawing = layLineage({ left, right }, width);
  const { box } = drawing;
  return (
    <div ref={ground} className="lineage-drawing" aria-hidden style={{ height: drawing.height }}>
      {width === 0 ? null : (
        <>
          <svg width={width} height={drawing.height}>
            <title>Lineage</title>
            {[...drawing.leftBands, ...drawing.rightBands].map((band) => (
              <path key={band.path} className="lineage-band" d={band.path} strokeWidth={band.width} />
            ))}
          </svg>
          {left.map((node, i) => (
            <Node key={node.key} node={node} place={drawing.left[i]} />
          ))}
          <span className="lineage-node" data-self style={styleOf(box)}>
            <b className="truncate">{plate}</b>
            <span className="truncate text-ink-2">{formatCount(cards, "card")}</span>
            <span className="truncate text-ink-2">{formatNumber(tokens)} tok</span>
          </span>
          {right.map((node, i) => (
            <Node key={node.key} node={node} place={drawing.right[i]} />
          ))}
        </>
      )}
    </div>
  );
}

/** The heaviest, in their order. */
function heaviest(nodes: readonly LineageNode[]): LineageNode[] {
  const kept = new Set(nodes.toSorted((a, b) => b.tokens - a.tokens).slice(0, SIDE_MAX));
  return nodes.filter((node) => kept.has(node));
}

const styleOf = ({ x, y, width, height }: Place) => ({ left: x, top: y, width, height });

function Node({ node, place }: { node: LineageNode; place: Place | undefined }) {
  if (place === undefined) return null;
  const inside = (
    <>
      <span className="truncate font-semibold">{node.name}</span>
      <span className="truncate text-ink-2">
        {node.cards === null ? node.says : `${formatCount(node.cards, "card")}, ${formatNumber(node.tokens)} tok`}
      </span>
    </>
  );
  const title = [node.says, node.name, `${formatNumber(node.tokens)} tokens`].filter(Boolean).join(", ");
  return node.href === undefined ? (
    <span className="lineage-node" style={styleOf(place)} title={title}>
      {inside}
    </span>
  ) : (
    <Link className="lineage-node" href={node.href} tabIndex={-1} style={styleOf(place)} title={title}>
      {inside}
    </Link>
  );
}
