"use client";

// What is handed over, in the order it will be packed: boxes first, then single cards. Order is changed by dragging, or
// with the arrow keys on a row's handle.
import { type DragEvent, useState } from "react";
import { type Dragged, isOurs, takeDragged } from "./drag-data";
import { HandoverRow } from "./handover-row";
import type { LaunchBlock } from "./launch-state";
import { reorder } from "./reorder";

export type HandoverListProps = {
  projectId: string;
  boxes: readonly string[];
  cards: readonly string[];
  onBoxes: (boxes: readonly string[]) => void;
  onCards: (cards: readonly string[]) => void;
  block: LaunchBlock | null;
};

export function HandoverList({ projectId, boxes, cards, onBoxes, onCards, block }: HandoverListProps) {
  const [over, setOver] = useState<Dragged["kind"] | "any" | null>(null);
  const [said, setSaid] = useState("");
  const groups = [
    { kind: "box" as const, ids: boxes, set: onBoxes },
    { kind: "card" as const, ids: cards, set: onCards },
  ];

  function move(kind: Dragged["kind"], from: number, to: number) {
    const group = groups.find((candidate) => candidate.kind === kind);
    if (group === undefined) return;
    const next = reorder(group.ids, from, to);
    if (next === group.ids) return;
    group.set(next);
    setSaid(`Moved to place ${Math.min(group.ids.length, Math.max(1, to + 1))} of ${group.ids.length}.`);
  }

  function drop(event: DragEvent, at?: { kind: Dragged["kind"]; index: number }) {
    const dragged = takeDragged(event.dataTransfer);
    setOver(null);
    if (dragged === null) return;
    event.preventDefault();
    event.stopPropagation();
    const group = groups.find((candidate) => candidate.kind === dragged.kind);
    if (group === undefined) return;
    const place = at?.kind === dragged.kind ? at.index : group.ids.length;
    const from = group.ids.indexOf(dragged.id);
    if (from !== -1) move(dragged.kind, from, place);
    else group.set([...group.ids.slice(0, place), dragged.id, ...group.ids.slice(place)]);
  }

  const isEmpty = boxes.length + cards.length === 0;
  return (
    <section
      aria-label="Hand over"
      onDragOver={(event) => {
        if (!isOurs(event.dataTransfer)) return;
        event.preventDefault();
        setOver("any");
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(null);
      }}
      onDrop={drop}
      className="compose-handover"
      data-over={over !== null || undefined}
    >
      <div className="flex items-baseline gap-2">
        <h3 className="compose-label">Hand over</h3>
        <span className="flex-1" />
        {isEmpty ? null : <span className="text-ink-3 text-note">in this order, before the instruction</span>}
      </div>
      {isEmpty ? (
        <p className="compose-handover-empty">
          Nothing yet. The agent sees only its profile and the instruction. Choose boxes or cards from the sources, or
          drop them here.
        </p>
      ) : (
        <ul className="flex flex-col gap-px">
          {groups.flatMap(({ kind, ids, set }) =>
            ids.map((id, index) => (
              <HandoverRow
                key={`${kind}${id}`}
                projectId={projectId}
                kind={kind}
                id={id}
                index={index}
                count={ids.length}
                error={
                  block?.tone === "failed" &&
                  block.index === index &&
                  block.place === (kind === "box" ? "boxes" : "cards")
                    ? block.reason
                    : null
                }
                onMove={(to) => move(kind, index, to)}
                onRemove={() => set(ids.filter((other) => other !== id))}
                onDrop={(event) => drop(event, { kind, index })}
              />
            )),
          )}
        </ul>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </section>
  );
}
