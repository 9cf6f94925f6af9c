"use client";

// A task without a turn: it stands in its lane already, dashed, and says what it waits for or why it was never sent.
import { type Berth, berthBox } from "@/components/ground/geometry";
import type { Detail } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { plainWords } from "@/components/ui/plain-words";
import type { BatchFrame } from "@/server/contract/frame";
import { heldWords } from "../batch-words";
import type { Lane } from "../plan/batch-view";
import { useYardNow } from "../yard-context";

export type GhostWagonProps = { lane: Lane; batch: BatchFrame; berth: Berth; detail: Detail };

export function GhostWagon({ lane, batch, berth, detail }: GhostWagonProps) {
  const now = useYardNow();
  const { task, status, index } = lane;
  const box = berthBox(berth);
  const words = heldWords(task, batch, now);
  const title = task ? plainWords(task.title) : `task ${index + 1}`;
  return (
    <div
      role="img"
      aria-label={`task ${index + 1}, ${title}, ${words}`}
      className="ghost-wagon"
      data-detail={detail}
      data-failed={status === "failed" || status === "timeout" ? "" : undefined}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: box.h }}
      title={detail === "full" ? undefined : `${title}: ${words}`}
    >
      {detail !== "full" ? (
        <span className="ghost-chip">
          <Aspect status={status} size={14} label={null} />
          {index + 1}
          {detail === "steady" ? (
            <span dir="auto" className="truncate">
              {task ? words : title}
            </span>
          ) : null}
        </span>
      ) : (
        <>
          <span className="flex items-center gap-1.5">
            <Aspect status={status} size={15} label={null} />
            <span className="text-ink-3">{index + 1}</span>
            <span className="min-w-0 flex-1 truncate">{task?.profile_name ?? ""}</span>
            {task ? <span className="text-ink-3 text-note">{words}</span> : null}
          </span>
          <span className="truncate text-ink-3">{task ? title : words}</span>
        </>
      )}
    </div>
  );
}
