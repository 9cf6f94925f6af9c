"use client";

// The tasks of a fork on a phone. Each has a handle: dragged, or with the arrows, it takes another place among them.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "@/components/ui/icon";
import type { Fork } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useComposer } from "../composer-context";

export function PhoneTasks({ fork, children }: { fork: Fork; children: (place: string) => ReactNode }) {
  const { store } = useComposer();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);

  function move(from: number, to: number): void {
    const task = fork.tasks[from];
    if (!task || from === to || to < 0 || to >= fork.tasks.length) return;
    store.change({
      label: `${nameOf(task)} is task ${to + 1}`,
      ops: [{ op: "move_task", task: `${fork.id}.${task.id}`, at: to }],
    });
  }
  /** The row whose middle the finger has passed last. */
  function rowAt(y: number): number {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const below = rows.findIndex(({ top, height }) => y < top + height);
    return below < 0 ? rows.length - 1 : below;
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, index + by);
  }
  const follow = (event: PointerEvent): void => setDrag((now) => now && { ...now, to: rowAt(event.clientY) });
  return (
    <ol ref={list} aria-label={`Tasks of ${nameOf(fork)}`}>
      {fork.tasks.map((task, index) => (
        <li
          key={task.id}
          className="flex items-stretch"
          data-lifted={drag?.from === index ? "" : undefined}
          data-target={
            drag && drag.to === index && drag.from !== index ? (drag.to > drag.from ? "below" : "above") : undefined
          }
        >
          <div className="min-w-0 flex-1">{children(`${fork.id}.${task.id}`)}</div>
          {fork.tasks.length < 2 ? null : (
            <button
              type="button"
              className="phone-task-handle"
              aria-label={`Move ${nameOf(task)}: drag it, or use the arrow keys`}
              onKeyDown={(event) => onKeyDown(event, index)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDrag({ from: index, to: index });
              }}
              onPointerMove={follow}
              onPointerCancel={() => setDrag(null)}
              onPointerUp={(event) => {
                if (drag) move(drag.from, rowAt(event.clientY));
                setDrag(null);
              }}
            >
              <Icon name="drag" size={15} />
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}
