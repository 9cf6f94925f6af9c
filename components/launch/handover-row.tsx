"use client";

// One box or card on its way. Its handle is dragged, or moved with the arrow keys.
import { type DragEvent, type ReactNode, useState } from "react";
import { boxKindWords } from "@/components/domain/box-kinds";
import { BoxId } from "@/components/ui/box-id";
import { Consist } from "@/components/ui/consist";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { RoleTag } from "@/components/ui/role-tag";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import { boxOwner } from "./box-words";
import { putDragged } from "./drag-data";
import { liftRow } from "./drag-image";
import { useSearch } from "./use-search";

export type HandoverRowProps = {
  projectId: string;
  kind: "box" | "card";
  id: string;
  index: number;
  count: number;
  error: string | null;
  onMove: (to: number) => void;
  onRemove: () => void;
  onDrop: (event: DragEvent) => void;
};

export function HandoverRow({ projectId, kind, id, index, count, error, onMove, onRemove, onDrop }: HandoverRowProps) {
  const [isOver, setIsOver] = useState(false);
  const name = kind === "box" ? `box ${boxPlate(id)}` : "card";
  return (
    <li
      className="launch-handover-row"
      data-over={isOver || undefined}
      data-invalid={error === null ? undefined : true}
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        onDrop(event);
      }}
    >
      <div className="flex min-h-8 items-center gap-2">
        <button
          type="button"
          draggable
          className="launch-handle pointer-coarse:hidden"
          aria-label={`Move ${name}, place ${index + 1} of ${count}`}
          aria-keyshortcuts="ArrowUp ArrowDown"
          title="Drag, or move with the arrow keys"
          onDragStart={(event) => {
            putDragged(event.dataTransfer, { kind, id });
            liftRow(event);
          }}
          onKeyDown={(event) => {
            const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            onMove(index + step);
          }}
        >
          <Icon name="drag" size={12} />
        </button>
        {kind === "box" ? <BoxFacts projectId={projectId} id={id} /> : <CardFacts projectId={projectId} id={id} />}
        {/* A finger cannot drag in a list that scrolls. */}
        <span className="flex flex-none pointer-fine:hidden">
          <IconButton icon="up" label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(index - 1)} />
        </span>
        <IconButton icon="x" size="sm" iconSize={13} label={`Remove ${name}`} onClick={onRemove} />
      </div>
      {error === null ? null : <p className="pb-1.5 pl-7 text-note text-st-failed">{error}</p>}
    </li>
  );
}

function BoxFacts({ projectId, id }: { projectId: string; id: string }) {
  const { hits } = useSearch({ projectId, query: id, kinds: ["box"], limit: 1 });
  const hit = hits?.boxes.find((candidate) => candidate.box_id === id);
  return (
    <Facts
      head={<BoxId code={boxPlate(id)} title={id} />}
      label={hit === undefined ? undefined : `${boxKindWords[hit.kind]} ${boxOwner(hit)}`}
      isKnown={hits === undefined || hit !== undefined}
    >
      {hit === undefined ? null : (
        <>
          <span className="w-24 flex-none max-sm:hidden">
            <Consist cards={parseConsist(hit.consist)} height={5} />
          </span>
          <span className="w-20 flex-none whitespace-nowrap text-right text-ink-3 max-sm:hidden">
            {formatCount(hit.length, "card")}
          </span>
          <span className="w-12 flex-none text-right">{formatNumber(hit.token_sum)}</span>
        </>
      )}
    </Facts>
  );
}

function CardFacts({ projectId, id }: { projectId: string; id: string }) {
  const { hits } = useSearch({ projectId, query: id, kinds: ["card"], limit: 1 });
  const hit = hits?.cards.find((candidate) => candidate.card_id === id);
  return (
    <Facts
      head={
        hit === undefined ? <span className="mono text-ink-2">{id.slice(-8)}</span> : <RoleTag cardRole={hit.role} />
      }
      label={hit?.excerpt}
      isKnown={hits === undefined || hit !== undefined}
    >
      {hit === undefined ? null : (
        <>
          <span className="mono flex-none text-ink-3 max-sm:hidden">{hit.type}</span>
          <span className="w-12 flex-none text-right">{formatNumber(hit.token_count)}</span>
        </>
      )}
    </Facts>
  );
}

function Facts({
  head,
  label,
  isKnown,
  children,
}: {
  head: ReactNode;
  label?: string;
  isKnown: boolean;
  children: ReactNode;
}) {
  return (
    <>
      {head}
      <span className="min-w-0 flex-1 truncate">
        {isKnown ? label : <span className="text-st-failed">not in this project</span>}
      </span>
      {children}
    </>
  );
}
