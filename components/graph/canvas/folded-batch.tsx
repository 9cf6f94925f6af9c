"use client";

// A whole batch as one wagon: how many of it have come in, and how the others stand, to scale.
import type { Block } from "@/components/ground/block";
import { berthBox } from "@/components/ground/geometry";
import type { Detail } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { IconButton } from "@/components/ui/icon-button";
import { Plate } from "@/components/ui/plate";
import { awaitedWords, batchTitle, progressWords, spokenBatch } from "../batch-words";
import type { BatchView } from "../plan/batch-view";
import { useBatch, useYard } from "../yard-context";
import { BoardLink } from "./batch-head";

export function FoldedBatch({ block, detail }: { block: Block; detail: Detail }) {
  const { toggleFold } = useYard();
  const view = useBatch(block.id);
  if (!view) return null;
  const { batch, name, counts } = view;
  const box = berthBox(block);
  const place = { transform: `translate(${box.x}px, ${box.y - 1}px)`, width: box.w, height: box.h };
  if (detail === "chip")
    return (
      <button
        type="button"
        tabIndex={-1}
        className="folded-batch nopan nodrag"
        data-batch={block.id}
        aria-label={`Unfold ${spokenBatch(view)}`}
        style={place}
        onClick={() => toggleFold(batch.batch_id)}
      >
        <span className="wagon-chip">
          <Aspect status={batch.status} size={14} label={null} />
          <span className="wagon-name">{batchTitle(batch)}</span>
          <Plate code={name} />
          <span className="text-ink-2">
            {counts.delivered}/{batch.task_count}
          </span>
        </span>
      </button>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
    <div
      role="group"
      aria-label={spokenBatch(view)}
      className="folded-batch nopan nodrag"
      data-batch={block.id}
      style={place}
    >
      <div className="wagon" data-detail={detail} data-status={batch.status}>
        <span className="flex min-w-0 flex-1 flex-col gap-1 pl-2">
          <span className="flex min-w-0 items-center gap-1.5">
            <Aspect status={batch.status} size={15} label={null} />
            <BoardLink view={view} stopId={block.stop} />
            <Plate code={name} />
            <span className="flex-1" />
            <IconButton
              icon="plus"
              label={`Unfold ${name}`}
              keys="z"
              size="sm"
              iconSize={13}
              onClick={() => toggleFold(batch.batch_id)}
            />
          </span>
          {detail === "full" ? (
            <span className="truncate">
              {progressWords(view)}
              <span className="text-ink-3">
                {counts.failed > 0 ? `, ${counts.failed} failed` : ""}
                {awaitedWords(view) === "" ? "" : `, ${awaitedWords(view)}`}
              </span>
            </span>
          ) : null}
        </span>
        <Share view={view} />
      </div>
    </div>
  );
}

function Share({ view }: { view: BatchView }) {
  const { counts, batch } = view;
  const parts = [
    ["success", counts.delivered],
    ["running", counts.out],
    ["failed", counts.failed],
    ["canceled", counts.canceled],
  ] as const;
  return (
    <span aria-hidden className="folded-share">
      {parts.map(([status, count]) =>
        count === 0 ? null : (
          <i
            key={status}
            style={{ width: `${(count / batch.task_count) * 100}%`, background: `var(--st-${status})` }}
          />
        ),
      )}
    </span>
  );
}
