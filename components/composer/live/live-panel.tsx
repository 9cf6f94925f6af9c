"use client";

// A place of a run: how it stands, what it was given beside what was drawn, and the way to its turn.
import Link from "next/link";
import { Aspect } from "@/components/ui/aspect";
import { Consist } from "@/components/ui/consist";
import { formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { parseConsist } from "@/server/contract/consist";
import { nameOf } from "@/server/contract/plan/plan-words";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import { tokensOf, tokenWords } from "../check/figures";
import { useChosen, useLivePlace, usePart, usePlaceCheck, usePlan } from "../composer-context";
import { loadRowsOf, targetWords } from "../drawing/loads";
import { aspectOf } from "./live-words";

export function LivePanel({ base, watched }: { base: string; watched: RunDrawing }) {
  const chosen = useChosen()?.replace(/^gate:/, "") ?? null;
  const part = usePart(chosen ?? "");
  if (chosen === null || !part) return <RunPanel base={base} watched={watched} />;
  return <PlacePanel base={base} place={chosen} />;
}

function PlacePanel({ base, place }: { base: string; place: string }) {
  const plan = usePlan();
  const part = usePart(place);
  const live = useLivePlace(place);
  const check = usePlaceCheck(place);
  if (!part || !live) return null;
  const { turn } = live;
  const { rows } = loadRowsOf(plan, place);
  return (
    <>
      <header className="flex items-start gap-2.5 border-line border-b px-4 py-3.5">
        {turn ? <Plate code={turn.headcode} size="lg" tone="ink" /> : null}
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="truncate text-h3">
            {plainWords(nameOf(part))}
          </h2>
          <p className="text-ink-3">{place}, as drawn</p>
        </div>
      </header>
      <Section>
        <p className="flex items-start gap-2">
          <Aspect status={aspectOf(live)} size={15} label={null} className="mt-0.5" />
          <span dir="auto" className="min-w-0 break-words">
            <b>{turn?.status ?? live.status}</b>{" "}
            {live.words === (turn?.status ?? live.status) ? "" : plainWords(live.words)}
          </span>
        </p>
        {turn ? (
          <Link className="btn mt-2" href={`${base}/turns/${turn.agent_turn_id}`}>
            Open the turn
          </Link>
        ) : null}
      </Section>
      {turn ? (
        <Section title="As drawn, as it ran">
          <p className="mb-1.5 flex gap-2">
            <span className="flex-1">It was given</span>
            {check ? <span className="text-ink-3">drawn {tokenWords(tokensOf(check))}</span> : null}
            <b>{formatNumber(turn.context_tokens)}</b>
          </p>
          <Consist cards={parseConsist(turn.context_consist)} window={turn.window_tokens ?? null} height={12} />
          <p className="mt-1.5 flex gap-2">
            <span className="flex-1">It has written</span>
            <b>{formatNumber(turn.output_tokens)}</b>
          </p>
        </Section>
      ) : null}
      {"instruction" in part ? (
        <Section title="Instruction" note={targetWords(plan, part)}>
          <p dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap break-words">
            {part.instruction}
          </p>
        </Section>
      ) : null}
      {rows.length === 0 ? null : (
        <Section title="Load, in the order it reads">
          <ol>
            {rows.map((row) => (
              <li key={`${row.owner} ${row.index}`} dir="auto" className="truncate py-0.5">
                {row.words}
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

function RunPanel({ base, watched }: { base: string; watched: RunDrawing }) {
  const { run, run_number, turns } = watched;
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 className="text-h3">Run {run_number}</h2>
        <p dir="auto" className="truncate text-ink-3">
          {run.name || "a plan without a name"}
          {run.version === undefined ? "" : ` v${run.version}`}
        </p>
      </header>
      <Section>
        <p>
          <b>What is packed is fixed.</b> Turns that have started can be stopped, tried again or forked in the yard.
        </p>
        <p className="mt-2">
          <b>What waits for a person</b> is decided in the yard or in the inbox.
        </p>
        <div className="mt-3 flex flex-wrap gap-1.5">
          <Link className="btn" href={`${base}?run=${run.root_turn_id}`}>
            Open in yard
          </Link>
          <Link className="btn" href={`${base}/inbox?view=people`}>
            Inbox
          </Link>
        </div>
      </Section>
      <Section title="Turns" note={`${turns.length} of ${run.body.limits.turns_max} allowed`}>
        <ul>
          {turns.map((turn) => (
            <li key={turn.agent_turn_id} className="flex items-center gap-2 py-0.5">
              <Aspect status={turn.status} size={14} label={null} />
              <Plate code={turn.headcode} />
              <Link
                dir="auto"
                className="min-w-0 flex-1 truncate hover:underline"
                href={`${base}/turns/${turn.agent_turn_id}`}
              >
                {turn.place}
              </Link>
              <span className="text-ink-3">{turn.status}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
