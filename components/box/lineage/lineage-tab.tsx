"use client";

// The tab Lineage: where the cards of a box came from, which turns read or write it, and which boxes took its cards over.
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { OriginMark } from "@/components/ui/origin-mark";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useRowKeys } from "@/components/ui/use-row-keys";
import { boxPlate } from "@/server/contract/box";
import type { BoxLineage } from "@/server/contract/box-lineage";
import type { BoxSheet } from "@/server/contract/line";
import { LineageDrawing } from "./lineage-drawing";
import { type LineageNode, lineageOf } from "./lineage-of";
import "./lineage.css";

export function LineageTab({ sheet }: { sheet: BoxSheet }) {
  const trpc = useTRPC();
  const { project_id, box_id } = sheet;
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list, "Lineage", "source or reader");
  const asked = useQuery(trpc.box.lineage.queryOptions({ project_id, box_id }, { staleTime: 0, retry: false }));
  const lineage = useMemo(() => (asked.data === undefined ? null : lineageOf(sheet, asked.data)), [sheet, asked.data]);
  if (asked.data === undefined || lineage === null)
    return asked.error === null ? (
      <SkeletonRows count={8} rowHeight={40} label="Loading the lineage" />
    ) : (
      <EmptyState
        title="Lineage not loaded"
        cause={asked.error.message}
        remedy={<Button onClick={() => void asked.refetch()}>Try again</Button>}
      />
    );
  const { sources_total, heirs_total } = asked.data;
  return (
    <div className="lineage">
      <LineageDrawing lineage={lineage} plate={boxPlate(box_id)} cards={sheet.length} tokens={sheet.token_sum} />
      <div ref={list} className="lineage-lists">
        <Part name="Came from" nodes={lineage.sources} total={sources_total} none="This box has no cards yet." />
        <Part
          name="Used by turns"
          nodes={lineage.turns}
          total={sheet.turn_count}
          none="No turn reads or writes this box. Use it in a launch to hand it over."
        />
        <Part
          name="Inherited by boxes"
          nodes={lineage.heirs}
          total={heirs_total}
          none="No box found that inherited from this one."
          note={knownBy(asked.data, sheet.length)}
        />
      </div>
    </div>
  );
}

/** How far the answer goes: no index leads from a box to its heirs. */
function knownBy({ probes, looked_at }: BoxLineage, length: number): string | undefined {
  if (length === 0) return undefined;
  if (probes === 0) return "No card of this box can be handed over.";
  const places = looked_at === undefined ? "" : `, in their ${formatNumber(looked_at)} newest places`;
  return probes >= length && looked_at === undefined
    ? undefined
    : `Looked for by ${probes} of its ${formatNumber(length)} cards${places}. A box that took over only others is not listed.`;
}

type PartProps = {
  name: string;
  nodes: readonly LineageNode[];
  total: number;
  none: string;
  note?: string | undefined;
};

function Part({ name, nodes, total, none, note }: PartProps) {
  return (
    <section aria-label={name}>
      <h2 className="lineage-head">
        {name}
        <span className="font-[450] text-ink-3">
          {total > nodes.length ? `${formatNumber(nodes.length)} of ${formatNumber(total)}` : formatNumber(total)}
        </span>
      </h2>
      {nodes.length === 0 ? <p className="px-4 py-2 text-ink-2">{none}</p> : null}
      {nodes.map((node) =>
        node.href === undefined ? (
          <div key={node.key} className="lineage-row">
            <Row node={node} />
          </div>
        ) : (
          <Link key={node.key} data-row href={node.href} className="lineage-row">
            <Row node={node} />
          </Link>
        ),
      )}
      {note === undefined ? null : <p className="px-4 py-2 text-ink-3">{note}</p>}
    </section>
  );
}

function Row({ node: { name, says, origin, cards, tokens } }: { node: LineageNode }) {
  return (
    <>
      {origin === undefined ? null : <OriginMark origin={origin} size={14} label={null} />}
      <span className="font-semibold">{name}</span>
      <span className="min-w-0 flex-1 truncate text-ink-2">{says}</span>
      {cards === null ? null : (
        <span className="flex-none">
          {formatCount(cards, "card")}, {formatNumber(tokens)} tokens
        </span>
      )}
    </>
  );
}
