"use client";

// What is handed over, in the order it will be packed: boxes and single cards in one list. Order is changed by dragging, or
// with the arrow keys on a row's handle.
import { type DragEvent, useState } from "react";
import { isOurs, takeDragged } from "./drag-data";
import { HandoverRow } from "./handover-row";
import { isSameItem, type LoadItem } from "./load-item";
import { reorder } from "./reorder";

export type HandoverListProps = {
  projectId: string;
  load: readonly LoadItem[];
  onLoad: (load: readonly LoadItem[]) => void;
  /** Which of them is refused, and why. */
  refused: { index?: number; reason: string } | null;
  /** Right of the heading. */
  note: string;
  /** While there is nothing in it. */
  empty: string;
  label?: string;
};

export function HandoverList({
  projectId,
  load,
  onLoad,
  refused,
  note,
  empty,
  label = "Hand over",
}: HandoverListProps) {
  const [isOver, setIsOver] = useState(false);
  const [said, setSaid] = useState("");

  function move(from: number, to: number) {
    const next = reorder(load, from, to);
    if (next === load) return;
    onLoad(next);
    setSaid(`Moved to place ${Math.min(load.length, Math.max(1, to + 1))} of ${load.length}.`);
  }

  function drop(event: DragEvent, at?: number) {
    const dragged = takeDragged(event.dataTransfer);
    setIsOver(false);
    if (dragged === null) return;
    event.preventDefault();
    event.stopPropagation();
    const place = at ?? load.length;
    const from = load.findIndex((item) => isSameItem(item, dragged));
    if (from !== -1) move(from, place);
    else onLoad([...load.slice(0, place), dragged, ...load.slice(place)]);
  }

  const isEmpty = load.length === 0;
  return (
    <section
      aria-label={label}
      onDragOver={(event) => {
        if (!isOurs(event.dataTransfer)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={drop}
      className="launch-handover"
      data-over={isOver || undefined}
    >
      <div className="flex items-baseline gap-2">
        <h3 className="launch-label">{label}</h3>
        <span className="flex-1" />
        {isEmpty ? null : <span className="text-ink-3 text-note">{note}</span>}
      </div>
      {isEmpty ? (
        <p className="launch-handover-empty">{empty}</p>
      ) : (
        <ul className="flex flex-col gap-px">
          {load.map((item, index) => (
            <HandoverRow
              key={`${item.kind}${item.id}`}
              projectId={projectId}
              kind={item.kind}
              id={item.id}
              index={index}
              count={load.length}
              error={refused?.index === index ? refused.reason : null}
              onMove={(to) => move(index, to)}
              onRemove={() => onLoad(load.filter((other) => other !== item))}
              onDrop={(event) => drop(event, index)}
            />
          ))}
        </ul>
      )}
      {refused !== null && refused.index === undefined ? (
        <p className="mt-1 text-note text-st-failed">{refused.reason}</p>
      ) : null}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </section>
  );
}
