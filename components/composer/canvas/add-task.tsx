"use client";

// The berth of the next task, in the foot of a fork's frame. What has started takes no more tasks, so a run shows none there.
import { memo } from "react";
import { CHAMFER, TRUNK, trackY } from "@/components/ground/geometry";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { plainWords } from "@/components/ui/plain-words";
import { track } from "@/components/ui/track";
import { TASKS_MAX } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useComposer, useLivePlace, usePart } from "../composer-context";
import { addingTask } from "../draft/edits";
import { addBerth } from "../drawing/frame-foot";
import { useLocked } from "./use-locked";

export const AddTask = memo(function AddTask({ id, fork }: { id: string; fork: SeatedStop }) {
  const { store } = useComposer();
  const node = usePart(id);
  const live = useLivePlace(id);
  const isLocked = useLocked();
  if (!node || !("tasks" in node) || node.tasks.length >= TASKS_MAX || isLocked || (live && !live.isOpen)) return null;
  const { x, y, w, h } = addBerth(fork);
  const end = y + h / 2;
  const way = track(
    [
      [x - TRUNK, trackY(fork.row + fork.rows - 1) - CHAMFER],
      [x - TRUNK, end],
      [x, end],
    ],
    CHAMFER,
  );
  return (
    <>
      <svg className="yard-tracks" aria-hidden="true">
        <path className="add-task-way" d={way} />
      </svg>
      <button
        type="button"
        className="add-task nopan nodrag"
        data-add-task={id}
        aria-label={`Add a task to ${plainWords(nameOf(node))}`}
        style={{ transform: `translate(${x}px, ${y}px)`, width: w, height: h }}
        onClick={() => store.change(addingTask(store.get().plan, id, null))}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === " ") event.stopPropagation();
        }}
      >
        <span>
          <Icon name="plus" size={14} />
          Add task
          <Kbd keys="t" />
        </span>
      </button>
    </>
  );
});
