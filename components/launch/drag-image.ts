// What hangs at the pointer while a row is dragged: the row itself, at -1.2 degrees.
import type { DragEvent } from "react";

/** At the start of a drag. The browser takes its picture at once, so the copy is gone a moment later. */
export function liftRow(event: DragEvent<HTMLElement>): void {
  const row = event.currentTarget.closest("li") ?? event.currentTarget;
  const { left, top, width } = row.getBoundingClientRect();
  const holder = document.createElement("div");
  holder.className = "launch-lifted";
  holder.style.width = `${width}px`;
  holder.inert = true;
  holder.append(row.cloneNode(true));
  document.body.append(holder);
  event.dataTransfer.setDragImage(holder, event.clientX - left, event.clientY - top);
  setTimeout(() => holder.remove());
}
