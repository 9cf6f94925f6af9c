"use client";

// Where the caller of a batch continues after the join: kept free behind the gate, so that the way back is visible.
import { personName } from "@/components/domain/agent-names";
import type { Block } from "@/components/ground/block";
import { returnBox } from "@/components/ground/geometry";
import type { Detail } from "@/components/ground/viewport";
import { Aspect } from "@/components/ui/aspect";
import { Plate } from "@/components/ui/plate";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import type { BatchView } from "../plan/batch-view";
import { turnLabel } from "../turn-words";
import { useTopology, useTurn, useYard } from "../yard-context";

export type ReturnBerthProps = { block: Block; view: BatchView; detail: Detail };

export function ReturnBerth({ block, view, detail }: ReturnBerthProps) {
  const { select } = useYard();
  const { places } = useTopology();
  const turn = useTurn(block.parent);
  if (!turn) return null;
  const box = returnBox(block, places.get(block.parent)?.row ?? block.row);
  const { batch, name } = view;
  const isWaiting = batch.status === "running";
  const isGone = batch.status === "canceled";
  const words = isWaiting ? "resumes" : isGone ? "was stopped" : isEnded(turn.status) ? turn.status : "goes on";
  const more = isWaiting
    ? turn.is_human
      ? `once ${name} closes`
      : `step ${turn.step_count + 1}, once ${name} closes`
    : isGone
      ? `${name} was canceled with it`
      : `${name} closed as ${batch.status}`;
  return (
    <button
      type="button"
      // The timeline lists the same turn for the keyboard.
      tabIndex={-1}
      className="return-berth nopan nodrag"
      data-open={isWaiting ? "" : undefined}
      aria-label={`${turn.headcode} ${words} after ${name}`}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.w, height: box.h }}
      data-detail={detail}
      onClick={() => select(turn.agent_turn_id)}
    >
      {detail !== "full" ? (
        <span className="ghost-chip" data-open={isWaiting ? "" : undefined}>
          <Aspect status={turn.status} size={14} label={null} />
          {turn.is_human ? null : <Plate code={turn.headcode} />}
        </span>
      ) : (
        <Words turn={turn} words={words} more={more} />
      )}
    </button>
  );
}

function Words({ turn, words, more }: { turn: TurnFrame; words: string; more: string }) {
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Aspect status={turn.status} size={15} label={null} />
        <b dir="auto" className="truncate">
          {turn.is_human ? personName(turn.agent_id) : turnLabel(turn)}
        </b>
        {/* Both would be cut: for an agent the lamp and the line below say it. */}
        {turn.is_human ? (
          <span className="flex-none text-ink-2">{words}</span>
        ) : (
          <Plate code={turn.headcode} className="ml-auto flex-none" />
        )}
      </span>
      <span className="truncate text-ink-3">{more}</span>
    </>
  );
}
