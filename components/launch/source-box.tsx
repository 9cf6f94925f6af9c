"use client";

// A box that may be handed over whole, or opened to hand over single cards of it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { boxKindWords } from "@/components/domain/box-kinds";
import { useTRPC } from "@/components/trpc/client";
import { BoxId } from "@/components/ui/box-id";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { SkeletonRows } from "@/components/ui/skeleton";
import { boxPlate } from "@/server/contract/box";
import type { BoxHit } from "@/server/contract/search";
import { boxOwner } from "./box-words";
import { putDragged } from "./drag-data";
import { liftRow } from "./drag-image";
import { hasItem, type LoadItem } from "./load-item";
import { InMark, SourceCard } from "./source-card";

export type SourceBoxProps = {
  projectId: string;
  hit: BoxHit;
  isIn: boolean;
  load: readonly LoadItem[];
  onToggle: () => void;
  onToggleCard: (cardId: string) => void;
};

const PAGE = 50;

export function SourceBox({ projectId, hit, isIn, load, onToggle, onToggleCard }: SourceBoxProps) {
  const [isOpen, setIsOpen] = useState(false);
  const plate = boxPlate(hit.box_id);
  const name = `${boxKindWords[hit.kind]} ${boxOwner(hit)}`.trim();
  return (
    <li>
      <div className="launch-source-box">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Cards of box ${plate}`}
          className="launch-source-open"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? "down" : "right"} size={13} />
        </button>
        <button
          type="button"
          aria-pressed={isIn}
          draggable
          onDragStart={(event) => {
            putDragged(event.dataTransfer, { kind: "box", id: hit.box_id });
            liftRow(event);
          }}
          onClick={onToggle}
          title={hit.owner_title ?? hit.box_id}
          className="flex min-w-0 flex-1 items-center gap-[7px]"
        >
          <BoxId code={plate} />
          <b className="flex-none">{boxKindWords[hit.kind]}</b>
          <span className="min-w-0 flex-1 truncate text-ink-3">{boxOwner(hit)}</span>
          <InMark isIn={isIn} />
          <span className="text-ink-3" title={name}>
            {formatNumber(hit.token_sum)}
          </span>
        </button>
      </div>
      {isOpen ? (
        <BoxCards projectId={projectId} boxId={hit.box_id} length={hit.length} load={load} onToggle={onToggleCard} />
      ) : null}
    </li>
  );
}

type BoxCardsProps = {
  projectId: string;
  boxId: string;
  length: number;
  load: readonly LoadItem[];
  onToggle: (cardId: string) => void;
};

function BoxCards(props: BoxCardsProps) {
  const { length } = props;
  const [pages, setPages] = useState(1);
  const shown = Math.min(pages * PAGE, length);
  return (
    <ul>
      {Array.from({ length: Math.ceil(shown / PAGE) }, (_, page) => page * PAGE).map((from) => (
        <BoxPage key={from} {...props} from={from} />
      ))}
      {shown < length ? (
        <li className="py-1 pl-8">
          <button type="button" className="link text-note" onClick={() => setPages(pages + 1)}>
            {formatNumber(shown)} of {formatNumber(length)} cards, show more
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function BoxPage({ projectId, boxId, length, load, onToggle, from }: BoxCardsProps & { from: number }) {
  const trpc = useTRPC();
  const count = Math.min(PAGE, length - from);
  const { data, error } = useQuery(
    trpc.box.lines.queryOptions({
      project_id: projectId,
      box_id: boxId,
      positions: Array.from({ length: count }, (_, offset) => from + offset),
    }),
  );
  if (error !== null) return <li className="py-1 pl-8 text-st-failed">{error.message}</li>;
  if (data === undefined)
    return (
      <li>
        <SkeletonRows count={Math.min(4, count)} rowHeight={28} />
      </li>
    );
  return data.map((line) => (
    <SourceCard
      key={line.position}
      cardId={line.card_id}
      role={line.role}
      type={line.type}
      title={line.title}
      tokens={line.token_count}
      isIn={hasItem(load, { kind: "card", id: line.card_id })}
      isNested
      onToggle={() => onToggle(line.card_id)}
    />
  ));
}
