"use client";

// Rows that change places: dragged by a handle onto another row, or moved with the arrow keys on the handle.
import { type DragEvent, type KeyboardEvent, useState } from "react";
import { liftRow } from "./drag-image";

export function useRowMoves(what: string, onMove: (from: number, to: number) => void) {
  const type = `application/x-switchyard-row-${what}`;
  const [over, setOver] = useState<number | null>(null);
  return {
    rowProps: (index: number) => ({
      "data-over": over === index || undefined,
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(type)) return;
        event.preventDefault();
        setOver(index);
      },
      onDragLeave: () => setOver(null),
      onDrop: (event: DragEvent) => {
        setOver(null);
        const from = event.dataTransfer.getData(type);
        if (from === "") return;
        event.preventDefault();
        onMove(Number(from), index);
      },
    }),
    handleProps: (index: number, count: number, name: string) => ({
      draggable: true,
      "aria-label": `Move ${name}, place ${index + 1} of ${count}`,
      "aria-keyshortcuts": "ArrowUp ArrowDown",
      title: "Drag, or move with the arrow keys",
      onDragStart: (event: DragEvent<HTMLElement>) => {
        event.dataTransfer.setData(type, String(index));
        event.dataTransfer.effectAllowed = "move";
        liftRow(event);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onMove(index, index + step);
      },
    }),
  };
}
