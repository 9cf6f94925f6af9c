"use client";

// The steps of the turn on one time scale. A row is a step: press it to see what the model was sent.
import { useEffect, useRef } from "react";
import { NoCost } from "@/components/domain/no-cost";
import { Aspect } from "@/components/ui/aspect";
import { formatCompact, formatCost, formatDuration } from "@/components/ui/format";
import { noCostWords } from "@/server/contract/tokens";
import type { TurnSheet } from "@/server/contract/turn-sheet";
import { type StepLine, stepLines } from "./turn-view";
import { type Axis, axisOf, stretchesOf, ticksOf } from "./waterfall-view";

export type WaterfallProps = {
  sheet: TurnSheet;
  now: number;
  chosen: number | undefined;
  onChoose: (ordinal: number) => void;
};

export function Waterfall({ sheet, now, chosen, onChoose }: WaterfallProps) {
  const axis = axisOf(sheet, now);
  const ticks = ticksOf(axis);
  const lines = stepLines(sheet.steps, now);
  const rows = useRef<HTMLOListElement>(null);
  // Only within the list: the page itself stays where it is.
  useEffect(() => {
    const list = rows.current;
    const row = list?.querySelector<HTMLElement>(`[data-ordinal="${chosen}"]`);
    if (!list || !row) return;
    if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
    const below = row.offsetTop + row.offsetHeight - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
  }, [chosen]);
  return (
    <div className="falls">
      <div className="falls-columns falls-axis" aria-hidden>
        <span>Step</span>
        <span className="relative h-full">
          {ticks.map((tick) => (
            <span key={tick.at} className="falls-tick" style={{ left: `${tick.at * 100}%` }}>
              {tick.label}
            </span>
          ))}
        </span>
        <span className="text-right">In, est.</span>
        <span className="text-right">In, reported</span>
        <span className="text-right">Cost</span>
        <span className="text-right">Took</span>
      </div>
      <ol ref={rows} className="falls-rows" aria-label="Steps of the turn">
        {lines.map((line, index) => (
          <li key={line.step.step_id}>
            <Row
              line={line}
              sheet={sheet}
              index={index}
              axis={axis}
              now={now}
              ticks={ticks.map((tick) => tick.at)}
              isChosen={line.step.ordinal === chosen}
              onChoose={onChoose}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

type RowProps = {
  line: StepLine;
  sheet: TurnSheet;
  index: number;
  axis: Axis;
  now: number;
  ticks: number[];
  isChosen: boolean;
  onChoose: (ordinal: number) => void;
};

function Row({ line, sheet, index, axis, now, ticks, isChosen, onChoose }: RowProps) {
  const { step, status, act, rest, ms } = line;
  const { usage } = step;
  const noCost = noCostWords(step);
  return (
    <button
      type="button"
      className="falls-row falls-columns"
      data-ordinal={step.ordinal}
      aria-current={isChosen ? "step" : undefined}
      onClick={() => onChoose(step.ordinal)}
    >
      <span className="flex min-w-0 items-center gap-[7px]">
        <span className="w-3.5 flex-none text-right text-ink-3">{step.ordinal}</span>
        <Aspect status={status} size={13} />
        {step.error === undefined ? (
          <>
            <span className="mono flex-none truncate">{act}</span>
            <span className="min-w-0 truncate text-ink-2" title={rest}>
              {rest}
            </span>
          </>
        ) : (
          <span dir="auto" className="min-w-0 truncate text-ink-2" title={step.error}>
            {step.error}
          </span>
        )}
      </span>
      <span className="falls-bars" data-status={status} aria-hidden>
        {ticks.map((at) => (
          <u key={at} style={{ left: `${at * 100}%` }} />
        ))}
        {stretchesOf(sheet, index, axis, now).map(({ from, to, kind }) => (
          <i
            key={kind}
            data-kind={kind}
            style={{ left: `${(from * 100).toFixed(3)}%`, width: `${((to - from) * 100).toFixed(3)}%` }}
          />
        ))}
      </span>
      <span className="falls-figure">
        {step.request_tokens === undefined ? "" : formatCompact(step.request_tokens)}
      </span>
      <span className="falls-figure">
        {usage?.input_tokens === undefined
          ? ""
          : `${formatCompact(usage.input_tokens)}${usage.output_tokens === undefined ? "" : ` + ${formatCompact(usage.output_tokens)}`}`}
      </span>
      <span className="falls-figure">
        {step.cost !== undefined ? formatCost(step.cost) : noCost === null ? "" : <NoCost why={noCost} />}
      </span>
      <span className="falls-took">
        {ms === null ? "" : formatDuration(status === "running" ? Math.floor(ms / 1000) * 1000 : ms)}
      </span>
    </button>
  );
}
