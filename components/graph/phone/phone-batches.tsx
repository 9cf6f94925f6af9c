"use client";

// Batches on a phone: a frame around head and lanes, a gate at the right, and the lines of head, held back task and fold.
import { batchRule } from "@/components/domain/batch-rule";
import { clockText } from "@/components/domain/clock-text";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { heldWords, leftMs, progressWords, spokenBatch } from "../batch-words";
import { BoardLink } from "../canvas/batch-head";
import { FoldFigures, FoldShare, FoldSigns } from "../fold-figures";
import { foldCount, foldMatches, matchWords, spokenFold } from "../fold-words";
import type { BatchView } from "../plan/batch-view";
import { useBatch, useFold, useTopology, useYard, useYardNow } from "../yard-context";
import { PHONE_GATE, type PhoneFrame, type PhoneRow, phoneTrackY, phoneTrunkX, phoneWagonX } from "./phone-plan";

type FrameProps = { frame: PhoneFrame; rows: readonly PhoneRow[]; depth: number; width: number };

export function PhoneFrameShape({ frame, rows, depth, width }: FrameProps) {
  const view = useBatch(frame.batch_id);
  const { stops } = useTopology();
  if (!view && !stops.has(frame.batch_id)) return null;
  const left = phoneTrunkX(frame.level) + 14;
  const right = width - 8 - (depth - 1) * 6;
  const top = phoneTrackY(frame.head) - 34;
  const gateX = width - PHONE_GATE.right - PHONE_GATE.w - (depth - 1) * PHONE_GATE.step;
  const lanes = rows.flatMap((row, index) => (row.lane?.batch_id === frame.batch_id ? [index] : []));
  const [first = frame.head, last = frame.last] = [lanes[0], lanes.at(-1)];
  return (
    <>
      <rect
        className="batch-frame"
        data-batch={frame.batch_id}
        data-status={view?.batch.status}
        data-drawn={view ? undefined : ""}
        x={left}
        y={top}
        width={right - left}
        height={phoneTrackY(frame.last) + 12 - top}
        rx={9}
      />
      <rect
        className="batch-gate"
        x={gateX}
        y={phoneTrackY(first) - 20}
        width={PHONE_GATE.w}
        height={phoneTrackY(last) - phoneTrackY(first) + 38 - 10}
        rx={5}
      />
      {lanes.map((index) => {
        const status = view?.lanes[rows[index]?.lane?.task_index ?? 0]?.status ?? "queued";
        return (
          <g key={index} transform={`translate(${gateX + PHONE_GATE.w / 2 - 8} ${phoneTrackY(index) - 8})`}>
            <Aspect status={status} size={16} label={null} />
          </g>
        );
      })}
    </>
  );
}

export function PhoneBatchHead({ row, index }: { row: PhoneRow; index: number }) {
  const view = useBatch(row.id);
  const { setFold } = useYard();
  const { blocks } = useTopology();
  if (!view) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
    <div
      role="group"
      aria-label={spokenBatch(view)}
      className="absolute flex h-11 items-center gap-2"
      style={{ top: phoneTrackY(index) - 34, left: phoneWagonX(row.level), right: 14 }}
    >
      <BoardLink view={view} stopId={blocks.get(row.id)?.stop} />
      <Plate code={view.name} />
      <span className="min-w-0 flex-1 truncate text-ink-2">{progressWords(view)}</span>
      <PhoneLeft view={view} />
      <IconButton icon="minus" label={`Fold ${view.name}`} iconSize={15} onClick={() => setFold(row.id, true)} />
    </div>
  );
}

function PhoneLeft({ view }: { view: BatchView }) {
  const now = useYardNow();
  const ms = leftMs(view.batch, now);
  if (view.batch.status !== "running")
    return (
      <span className="flex flex-none items-center gap-1.5 text-ink-2">
        <Aspect status={view.batch.status} size={15} label={null} />
        {view.batch.status}
      </span>
    );
  return (
    <span className="flex flex-none items-center gap-1.5 text-ink-2">
      {view.batch.fail_fast ? <Icon name="flag" size={13} label={batchRule(view.batch)} /> : null}
      {ms === null ? null : `${clockText(ms)} left`}
    </span>
  );
}

export function PhoneGhost({ row, index, right }: { row: PhoneRow; index: number; right: number }) {
  const view = useBatch(row.lane?.batch_id);
  const now = useYardNow();
  const lane = view?.lanes[row.lane?.task_index ?? 0];
  if (!view || !lane) return null;
  const words = heldWords(lane.task, view.batch, now);
  const title = lane.task ? plainWords(lane.task.title) : `task ${lane.index + 1}`;
  return (
    <div
      role="img"
      aria-label={`task ${lane.index + 1}, ${title}, ${words}`}
      className="phone-ghost"
      style={{ top: phoneTrackY(index) - 42, left: phoneWagonX(row.level), right }}
    >
      <Aspect status={lane.status} size={15} label={null} />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {title}
      </span>
      <span className="flex-none text-ink-3 text-note">{words}</span>
    </div>
  );
}

export function PhoneFolded({ row, index, right }: { row: PhoneRow; index: number; right: number }) {
  const fold = useFold(row.id);
  const { setFold, matches } = useYard();
  if (!fold) return null;
  const [first] = fold.turns;
  const found = foldMatches(fold, matches);
  return (
    <button
      type="button"
      className="phone-wagon"
      data-batch={row.id}
      data-status={fold.worst}
      data-filtered={found === 0 ? "" : undefined}
      aria-label={`Unfold ${spokenFold(fold, matches)}`}
      style={{ top: phoneTrackY(index) - 42, left: phoneWagonX(row.level), right }}
      onClick={() => setFold(row.id, false)}
    >
      <Aspect status={fold.worst} size={15} label={null} />
      {fold.batch ? (
        <Plate code={fold.name} />
      ) : first ? (
        <AgentMark agentId={first.agent_id} profile={first.profile_name} size={15} />
      ) : null}
      <span className="min-w-0 flex-1 truncate">
        {foldCount(fold)}
        {fold.batch ? null : (
          <span dir="auto" className="text-ink-3">
            {" "}
            {fold.name}
          </span>
        )}
      </span>
      <span className="flex flex-none items-center gap-2 text-ink-2 text-note">
        <FoldSigns fold={fold} />
        {found === null ? <FoldFigures fold={fold} /> : matchWords(found, fold)}
      </span>
      <Icon name="plus" size={14} />
      <FoldShare fold={fold} />
    </button>
  );
}
