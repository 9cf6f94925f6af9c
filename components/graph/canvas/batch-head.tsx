"use client";

// The head of a frame: which batch, what ends it, how far it is. Its name leads to the board, the minus folds it.
import { batchRule } from "@/components/domain/batch-rule";
import { clockText } from "@/components/domain/clock-text";
import type { Block } from "@/components/ground/block";
import { FRAME_HEAD, frameBox } from "@/components/ground/geometry";
import type { Detail } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { KindMark } from "@/components/ui/kind-mark";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { awaitedWords, batchTitle, leftMs, parallelWords, progressWords, spokenBatch } from "../batch-words";
import type { BatchView } from "../plan/batch-view";
import { useStep } from "../use-step";
import { useYard, useYardNow } from "../yard-context";

export type BatchHeadProps = { block: Block; view: BatchView; detail: Detail };

export function BatchHead({ block, view, detail }: BatchHeadProps) {
  const { setFold } = useYard();
  const { batch, name } = view;
  const box = frameBox(block);
  const isFar = detail === "chip";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
    <div
      role="group"
      aria-label={spokenBatch(view)}
      className="batch-head nopan nodrag"
      data-far={isFar ? "" : undefined}
      data-detail={detail}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: FRAME_HEAD }}
    >
      <span className="batch-head-line">
        <BoardLink view={view} stopId={block.stop} />
        <Plate code={name} />
        {/* Beside the name: the right end of a wide frame is out of view when it has just been unfolded. */}
        <IconButton
          icon="minus"
          label={`Fold ${name} into one wagon`}
          keys="z"
          size="sm"
          iconSize={13}
          onClick={() => setFold(batch.batch_id, true)}
        />
        {isFar ? (
          <span className="text-ink-2">{progressWords(view)}</span>
        ) : (
          <>
            <span className="flex-1" />
            <Rule view={view} />
            <Left view={view} />
          </>
        )}
      </span>
    </div>
  );
}

/** `stopId`: the node of a plan that it is the batch of, which has a title of its own. */
export function BoardLink({ view, stopId }: { view: BatchView; stopId?: string | undefined }) {
  const { projectId } = useYard();
  const { batch } = view;
  const step = useStep(stopId ?? "");
  return (
    <Link
      href={boardPath(projectId, batch.batch_id)}
      className="batch-name"
      title={`Board of ${view.name}: tasks, attempts and results`}
    >
      <KindMark kind={batch.tool_name === "ask_expert" ? "ask" : "fork"} size={15} label={null} />
      <b dir="auto" className="max-w-[180px] truncate">
        {step ? plainWords(step.graph.title) : batchTitle(batch)}
      </b>
    </Link>
  );
}

const boardPath = (projectId: string, batchId: string): string =>
  `/p/${encodeURIComponent(projectId)}/batches/${encodeURIComponent(batchId)}`;

/** While it runs what ends it, afterwards how it ended. */
function Rule({ view }: { view: BatchView }) {
  const { batch } = view;
  if (batch.status !== "running")
    return (
      <span className="flex items-center gap-1.5 text-ink-2">
        <Aspect status={batch.status} size={14} label={null} />
        {batch.status}, {progressWords(view)}
      </span>
    );
  const parallel = parallelWords(batch);
  return (
    <span className="flex min-w-0 items-center gap-2 text-ink-2">
      {parallel ? <span className="truncate">{parallel}</span> : null}
      <span className="flex items-center gap-1 truncate" title={awaitedWords(view)}>
        {batch.fail_fast ? <Icon name="flag" size={12} /> : null}
        <span className="truncate">{batchRule(batch)}</span>
      </span>
    </span>
  );
}

function Left({ view }: { view: BatchView }) {
  const now = useYardNow();
  const ms = leftMs(view.batch, now);
  if (ms === null) return null;
  return (
    <span className={`flex flex-none items-center gap-1 ${ms < LATE_MS ? "font-[650] text-st-partial" : "text-ink-2"}`}>
      <Icon name="clock" size={13} />
      {ms === 0 ? "deadline passed" : `${clockText(ms)} left`}
    </span>
  );
}

/** From here on the time that is left is said in bold. */
const LATE_MS = 60_000;
