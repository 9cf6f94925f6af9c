"use client";

// Many turns as one wagon, a batch or calls alike: how many, how they stand, what they hold. It unfolds where it stands.
import type { ReactNode } from "react";
import type { Block } from "@/components/ground/block";
import { berthBox } from "@/components/ground/geometry";
import type { Detail } from "@/components/ground/viewport";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { formatCompact } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Plate } from "@/components/ui/plate";
import { progressWords } from "../batch-words";
import { FoldFigures, FoldShare, FoldSigns } from "../fold-figures";
import { foldCount, foldMatches, matchWords, spokenFold } from "../fold-words";
import type { FoldView } from "../plan/fold-view";
import { heldTitle } from "../run-stats";
import { useFold, useYard } from "../yard-context";
import { BoardLink } from "./batch-head";

export function FoldedWagon({ block, detail }: { block: Block; detail: Detail }) {
  const { select, setFold, selectedId, matches, model } = useYard();
  const fold = useFold(block.id);
  if (!fold) return null;
  const box = berthBox(block);
  const found = foldMatches(fold, matches);
  const isHolding = model.getTopology().held.get(selectedId ?? "") === block.id;
  const isSelected = selectedId === block.id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a form
    // biome-ignore lint/a11y/useKeyWithClickEvents: the canvas itself takes the keys
    <div
      role="group"
      aria-label={spokenFold(fold, matches)}
      className="folded-wagon nopan nodrag"
      data-batch={block.id}
      data-detail={detail}
      data-status={fold.worst}
      data-filtered={found === 0 ? "" : undefined}
      data-lit={(found ?? 0) > 0 ? "" : undefined}
      style={{ transform: `translate(${box.x}px, ${box.y - 1}px)`, width: box.w, height: box.h }}
      onClick={() => select(block.id)}
      onDoubleClick={() => setFold(block.id, false)}
    >
      <div className={`fold-body ${isSelected || isHolding ? "selected" : ""}`}>
        <span className="fold-line">
          <Aspect status={fold.worst} size={14} label={null} />
          <Name fold={fold} block={block} isFar={detail === "chip"} />
          <FoldSigns fold={fold} />
          {fold.batch && detail !== "chip" ? null : (
            <b className="fold-count">{detail === "chip" ? `×${fold.count}` : foldCount(fold)}</b>
          )}
          {detail === "chip" ? null : (
            <IconButton
              icon="plus"
              label={`Unfold ${fold.name}`}
              keys="z"
              size="sm"
              iconSize={13}
              onClick={(event) => {
                event.stopPropagation();
                setFold(block.id, false);
              }}
            />
          )}
        </span>
        <span className="fold-line fold-second">
          {found === null ? (
            <Figures fold={fold} detail={detail} />
          ) : (
            <span className="fold-found">{matchWords(found, fold)}</span>
          )}
        </span>
        <FoldShare fold={fold} />
      </div>
    </div>
  );
}

function Name({ fold, block, isFar }: { fold: FoldView; block: Block; isFar: boolean }): ReactNode {
  const [first] = fold.turns;
  if (fold.batch)
    return (
      <>
        {isFar ? null : <BoardLink view={fold.batch} stopId={block.stop} />}
        <Plate code={fold.name} />
        <span className="flex-1" />
      </>
    );
  return (
    <>
      {first ? <AgentMark agentId={first.agent_id} profile={first.profile_name} size={14} /> : null}
      <span dir="auto" className="fold-name" title={fold.name}>
        {fold.name}
      </span>
    </>
  );
}

function Figures({ fold, detail }: { fold: FoldView; detail: Detail }) {
  const { batch, stats } = fold;
  return (
    <>
      {batch ? <span className="flex-none">{progressWords(batch)}</span> : null}
      <FoldFigures fold={fold} />
      <span className="flex-1" />
      {stats.tokens === 0 || (batch && detail !== "full") ? null : (
        <span className="fold-tokens" title={heldTitle}>
          {formatCompact(stats.tokens)} held
        </span>
      )}
    </>
  );
}
