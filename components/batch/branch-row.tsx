"use client";

// One branch: what it is, what it fed into the join, when it worked, how often it was tried, what it carries.
import { memo } from "react";
import { tailOf } from "@/components/domain/agent-names";
import { Remedy } from "@/components/domain/remedy";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect, aspectInk } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { cn } from "@/components/ui/cn";
import { Consist } from "@/components/ui/consist";
import { formatCost, formatCount, formatDuration, formatNumber } from "@/components/ui/format";
import { KindMark } from "@/components/ui/kind-mark";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { kindNames } from "@/components/ui/sign-words";
import { Tooltip } from "@/components/ui/tooltip";
import type { Branch } from "@/server/contract/batch-sheet";
import { boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import { attemptSquares, attemptWords, cameBack, isOut, laneAspect, laneOf, laneWord, loadOf } from "./batch-words";
import { ranMs } from "./sort-branches";
import { type Axis, placeOf, stretchesOf } from "./time-axis";

export type BranchRowProps = {
  base: string;
  branch: Branch;
  axis: Axis;
  now: number;
  /** `now`, or while that is not known the last moment that is. */
  clock: number;
  /** Output tokens of the heaviest branch: all boxes are drawn on its scale. */
  heaviest: number;
  attemptsMax: number;
  /** What it was to a gate that does not wait for all. */
  gateMark: string | null;
  isChosen: boolean;
  onChoose: (index: number) => void;
  onOpen: (branch: Branch) => void;
};

export const BranchRow = memo(function BranchRow(props: BranchRowProps) {
  const { base, branch, axis, now, clock, heaviest, attemptsMax, gateMark, isChosen, onChoose, onOpen } = props;
  const lane = laneOf(branch);
  const { turn } = branch;
  const back = cameBack(branch, attemptsMax, now);
  const isBad = lane === "failed" || lane === "timeout";
  return (
    <li
      className="board-columns board-row"
      data-chosen={isChosen || undefined}
      data-bad={isBad ? lane : undefined}
      onDoubleClick={() => onOpen(branch)}
    >
      <div className="board-who">
        <span className="flex min-w-0 items-start gap-[7px]">
          <Aspect status={laneAspect(lane)} size={16} label={laneWord(lane)} className="mt-px" />
          <Tooltip label={plainWords(branch.title)} align="start" onlyIfCut>
            <button
              type="button"
              data-row
              aria-pressed={isChosen}
              // Its name says all of it already.
              aria-describedby={undefined}
              className="board-title"
              onClick={(event) => {
                // A finger's tap gives it the focus: what that shows must outlast the click that follows.
                event.preventDefault();
                onChoose(branch.task_index);
              }}
              onFocus={() => onChoose(branch.task_index)}
              onKeyDown={(event) => {
                // Walking chooses already, so Enter is free to open.
                if (event.key !== "Enter") return;
                event.preventDefault();
                onOpen(branch);
              }}
            >
              <span dir="auto" className="sr-only">
                Task {branch.task_index + 1}:{" "}
              </span>
              {plainWords(branch.title)}
            </button>
          </Tooltip>
          <Plate
            code={turn?.headcode ?? String(branch.task_index)}
            title={turn === undefined ? `Task ${branch.task_index + 1} has no turn yet` : turn.agent_turn_id}
          />
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-ink-3 text-note">
          <AgentMark agentId={branch.agent_id} profile={branch.profile_name} size={16} />
          <span className="min-w-0 truncate">{branch.profile_name}</span>
          <span className="mono flex-none">{tailOf(branch.agent_id)}</span>
          <span className="flex flex-none items-center gap-1" title={kindNames[branch.target_strategy]}>
            <KindMark kind={branch.target_strategy} size={12} />
          </span>
          {gateMark === null ? null : <span className="flex-none text-ink-2">{gateMark}</span>}
        </span>
      </div>
      <div className="board-back">
        <p className={cn("board-words", back.tone === "waiting" ? "text-ink-3" : "text-ink-2")}>
          {back.code === undefined ? null : (
            <span className={cn("mono", back.tone === "trouble" ? aspectInk[isBad ? lane : "partial"] : "text-ink")}>
              {back.code}{" "}
            </span>
          )}
          {back.tone === "trouble" ? (
            <>
              {stopped(back.text)} <Remedy code={turn?.error_code} />
            </>
          ) : (
            back.text
          )}
        </p>
        {turn?.output_box_id === undefined ? null : (
          <span className="flex items-center gap-2">
            <Link
              href={`${base}/boxes/${turn.output_box_id}`}
              title={`What ${turn.headcode} wrote: ${formatCount(turn.output_cards, "card")}`}
              className="relative z-1 rounded-1 hover:underline"
            >
              <BoxId code={boxPlate(turn.output_box_id)} />
            </Link>
            <span className="w-24">
              <Consist cards={parseConsist(turn.output_consist)} window={heaviest} notch={null} height={6} />
            </span>
            <span className="text-ink-3 text-note">{formatNumber(turn.output_tokens)}</span>
          </span>
        )}
      </div>
      <Bars branch={branch} axis={axis} clock={clock} isKnown={now > 0} />
      <span className="board-tries" role="img" aria-label={attemptWords(branch)} title={attemptWords(branch)}>
        {attemptSquares(branch, attemptsMax).map((square, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a square is its place.
          <i key={index} data-square={square} />
        ))}
      </span>
      <span className="board-load">
        <b title="Tokens now: given and written">{formatNumber(loadOf(branch))}</b>
        <span className="text-ink-3 text-note">
          {turn?.cost === undefined
            ? turn === undefined || turn.tokens_in === 0
              ? "none reported"
              : `${formatNumber(turn.tokens_in + turn.tokens_out)} reported`
            : formatCost(turn.cost)}
        </span>
      </span>
      <span className="max-[880px]:hidden" />
    </li>
  );
});

/** The remedy begins a sentence of its own. */
const stopped = (text: string): string => (text === "" || /[.!?…]$/.test(text) ? text : `${text}.`);

type BarsProps = Pick<BranchRowProps, "branch" | "axis" | "clock"> & { isKnown: boolean };

function Bars({ branch, axis, clock, isKnown }: BarsProps) {
  const { turn } = branch;
  const lane = laneOf(branch);
  const stretches = stretchesOf(branch, axis, clock);
  const ran = ranMs(branch, clock);
  const from = turn === undefined ? 0 : placeOf(Date.parse(turn.started_at ?? turn.created_at), axis);
  const steps = turn === undefined || turn.step_count === 0 ? "" : `, ${formatCount(turn.step_count, "step")}`;
  const isRunning = isOut(lane);
  const ranFor = isRunning && !isKnown ? "" : duration(ran, isRunning);
  const words = turn === undefined ? "" : turn.started_at === undefined ? "not started" : `${ranFor}${steps}`;
  return (
    <div className={cn("board-bars", aspectInk[laneAspect(lane)])}>
      {stretches.map((stretch) => (
        <i
          key={`${stretch.kind} ${stretch.from}`}
          data-kind={stretch.kind}
          style={{ left: `${stretch.from * 100}%`, width: `${(stretch.to - stretch.from) * 100}%` }}
        />
      ))}
      {/* Near the right edge the words stand against the end of the bar, or they would leave the column. */}
      <span
        className="board-took"
        style={from > 0.6 ? { right: 0 } : { left: `${from * 100}%` }}
        suppressHydrationWarning
      >
        {words}
      </span>
    </div>
  );
}

/** A running time counts whole seconds. */
const duration = (ms: number, isRunning: boolean): string =>
  formatDuration(isRunning ? Math.max(1000, Math.floor(ms / 1000) * 1000) : ms);
