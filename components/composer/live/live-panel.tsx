"use client";

// A place of a run: how it stands, what it was given beside what was drawn, and the way to its turn.
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Consist } from "@/components/ui/consist";
import { formatClock, formatCost, formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { Section } from "@/components/ui/section";
import { parseConsist } from "@/server/contract/consist";
import { graphOf, partsOf, placesInOrder } from "@/server/contract/plan/graph";
import { nameOf } from "@/server/contract/plan/plan-words";
import type { PlaceTurn, RunNamed } from "@/server/contract/plan/run-drawing";
import { isEnded } from "@/server/contract/turn";
import { handedOf, tokenWords } from "../check/figures";
import { useLivePlace, usePart, usePlaceCheck, usePlan, useSelection } from "../composer-context";
import { loadRowsOf, targetWords } from "../drawing/loads";
import { Inspector } from "../inspector/inspector";
import { ComparePanel } from "./compare-panel";
import { figuresOf } from "./comparison";
import { type DifferenceProps, DifferenceSection } from "./difference-section";
import { ForkPanel } from "./fork-panel";
import { GateSection } from "./gate-section";
import { HeldSteps } from "./held-steps";
import { canRetry } from "./live-keys";
import { aspectOf, callerWords } from "./live-words";
import type { Watch } from "./use-watch";

export type LivePanelProps = { base: string; watch: Watch };

export function LivePanel({ base, watch }: LivePanelProps) {
  const selection = useSelection();
  const chosen = selection.at(-1)?.replace(/^gate:/, "") ?? null;
  const part = usePart(chosen ?? "");
  const live = useLivePlace(chosen ?? "");
  if (selection.length > 1) return <Inspector />;
  if (chosen === null || !part) return <RunPanel base={base} watch={watch} />;
  // What has not started is edited as in the drawing; what was added has no place in the run yet.
  if (!live) return <Inspector />;
  return (
    <>
      <PlacePanel base={base} place={chosen} watch={watch} />
      {live.isOpen || watch.mode === "fork" ? (
        <details key={chosen} open={live.isOpen} className="live-edit">
          <summary>{watch.mode === "fork" ? "Change it for the fork" : "Change it before it starts"}</summary>
          <Inspector />
        </details>
      ) : null}
    </>
  );
}

function RunPanel({ base, watch }: LivePanelProps) {
  const { watched, check, force, setForce, isForking, comparison, besideNumber } = watch;
  if (isForking)
    return <ForkPanel runNumber={watched.run_number} run={watched.run} {...{ check, force }} onForce={setForce} />;
  if (comparison) return <ComparePanel comparison={comparison} here={watched.run_number} there={besideNumber} />;
  return <RunFacts base={base} watch={watch} />;
}

function PlacePanel({ base, place, watch }: LivePanelProps & { place: string }) {
  const plan = usePlan();
  const part = usePart(place);
  const live = useLivePlace(place);
  const check = usePlaceCheck(place);
  if (!part || !live) return null;
  const { turn } = live;
  const other = differing(watch, place);
  const { rows } = loadRowsOf(plan, place);
  return (
    <>
      <header className="flex items-start gap-2.5 border-line border-b px-4 py-3.5">
        {turn ? <Plate code={turn.headcode} size="lg" tone="ink" /> : null}
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="truncate text-title">
            {plainWords(nameOf(part))}
          </h2>
          <p className="text-ink-3">{place}, as drawn</p>
        </div>
      </header>
      <Section>
        <p className="flex items-start gap-2">
          <Aspect status={aspectOf(live)} size={15} label={null} className="mt-0.5" />
          <span dir="auto" className="min-w-0 break-words">
            {isSaidByItself(live.words, turn?.status ?? live.status) ? null : <b>{turn?.status ?? live.status}: </b>}
            {plainWords(live.words)}
          </span>
        </p>
        <PlaceActions base={base} place={place} watch={watch} />
      </Section>
      {"tasks" in part && !live.isOpen ? <GateSection base={base} fork={part} watched={watch.watched} /> : null}
      {other ? <DifferenceSection {...other} /> : null}
      {turn ? (
        <Section title="As drawn, as it ran">
          <p className="mb-1.5 flex gap-2">
            <span className="flex-1">It was given</span>
            {check ? <span className="text-ink-3">planned {tokenWords(handedOf(check))}</span> : null}
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

/** Its two turns, where the run is compared with another and both have run it. */
function differing({ comparison, watched, besideNumber }: Watch, place: string): DifferenceProps | null {
  const found = comparison?.places.find((one) => one.place === place);
  if (found?.verdict !== "changed" || !found.here || !found.there) return null;
  return {
    here: { id: found.here.agent_turn_id, run: watched.run_number },
    there: { id: found.there.agent_turn_id, run: besideNumber },
  };
}

function PlaceActions({ base, place, watch }: LivePanelProps & { place: string }) {
  const live = useLivePlace(place);
  const { actions, watched } = watch;
  if (!live) return null;
  const { turn, status } = live;
  const own = turn && turn.as_in_run === undefined ? turn : undefined;
  const isRunning = watched.run.status === "running";
  return (
    <div className="mt-2 flex flex-wrap gap-1.5">
      {isRunning && status === "held" ? (
        <Button icon="check" keys="p" aria-disabled={actions.isPending} onClick={() => actions.release(place)}>
          Let it start
        </Button>
      ) : null}
      {isRunning && (status === "held" || status === "waiting") ? (
        <Button aria-disabled={actions.isPending} onClick={() => actions.skip(place)}>
          Skip it
        </Button>
      ) : null}
      {canRetry(watch, status) ? (
        <Button icon="retry" keys="r" aria-disabled={actions.isPending} onClick={() => actions.retry(place)}>
          Try again
        </Button>
      ) : null}
      {own && !isEnded(own.status) ? (
        <Button
          variant="danger"
          keys="s"
          aria-disabled={actions.isPending}
          onClick={() => actions.stopTurn(own.agent_turn_id)}
        >
          Stop
        </Button>
      ) : null}
      {turn ? (
        <Link className="btn" href={`${base}/turns/${turn.agent_turn_id}`}>
          Open the turn
        </Link>
      ) : null}
    </div>
  );
}

function RunFacts({ base, watch }: LivePanelProps) {
  const { watched } = watch;
  const { run, run_number, turns, added, edits, source, forks } = watched;
  const figures = figuresOf(watched);
  const parts = partsOf(run.body);
  const titleOf = (place: string): string => {
    const part = parts.get(place);
    return part ? nameOf(part) : place;
  };
  const order = placesInOrder(graphOf(run.body));
  const inOrder = [...turns].sort((a, b) => order.indexOf(a.place) - order.indexOf(b.place));
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 className="text-title">Run {run_number}</h2>
        <p dir="auto" className="truncate text-ink-3">
          {run.name || "Plan without a name"}
          {run.version === undefined ? "" : ` v${run.version}`}
        </p>
      </header>
      <HeldSteps watch={watch} titleOf={titleOf} />
      <Section>
        {run.status === "running" ? (
          <>
            <p>
              <b>Steps that have started cannot be changed.</b> Stop them, try them again, or fork the run.
            </p>
            <p className="mt-2">
              <b>Steps that wait can be changed until they start.</b> Your changes reach the run when you send them.
            </p>
          </>
        ) : (
          <p>
            <b>The run has ended.</b> Change a step to fork it: what you do not change takes its recorded result.
          </p>
        )}
        <dl className="mt-3 grid grid-cols-[auto_1fr_auto_1fr] gap-x-3 gap-y-1">
          <dt className="text-ink-3">Turns</dt>
          <dd>
            {figures.turns + added.length} of {run.body.limits.turns_max}
          </dd>
          <dt className="text-ink-3">Tokens</dt>
          <dd>{formatNumber(figures.tokens)}</dd>
          <dt className="text-ink-3">Started</dt>
          <dd>{formatClock(run.created_at)}</dd>
          <dt className="text-ink-3">Cost</dt>
          <dd>{figures.cost === null ? "not known" : formatCost(figures.cost)}</dd>
        </dl>
        {[...(source ? [source] : []), ...forks].length === 0 ? null : (
          <p className="mt-2 text-ink-3">
            {source ? (
              <>
                Fork of <RunLink base={base} plan={run.name} named={source} />.{" "}
              </>
            ) : null}
            {forks.length > 0 ? "Forked as " : ""}
            {forks.map((fork, i) => (
              <span key={fork.plan_run_id}>
                {i > 0 ? ", " : ""}
                <RunLink base={base} plan={run.name} named={fork} />
              </span>
            ))}
          </p>
        )}
      </Section>
      {edits.length === 0 ? null : (
        <Section title="Edits" note={`${edits.length}`}>
          <ol>
            {edits.map((edit) => (
              <li key={edit.n} className="flex gap-2 py-0.5">
                <span className="text-ink-3">{formatClock(edit.created_at)}</span>
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {edit.by} {edit.reason}
                </span>
                <span className="text-ink-3">{formatCount(edit.ops, "operation")}</span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {added.length === 0 ? null : (
        <Section title="Not in the drawing" note={`${added.length}`}>
          <ul>
            {added.map((turn) => (
              <TurnLine
                key={turn.agent_turn_id}
                base={base}
                turn={turn}
                name={turn.name}
                note={callerWords(watched, turn)}
              />
            ))}
          </ul>
        </Section>
      )}
      <Section title="Turns of the drawing" note={`${turns.length}`}>
        <ul>
          {inOrder.map((turn) => (
            <TurnLine
              key={turn.agent_turn_id}
              base={base}
              turn={turn}
              name={plainWords(titleOf(turn.place))}
              note={turn.status}
            />
          ))}
        </ul>
      </Section>
    </>
  );
}

type TurnLineProps = {
  base: string;
  turn: Pick<PlaceTurn, "agent_turn_id" | "headcode" | "status">;
  name: string;
  note: string;
};

function TurnLine({ base, turn, name, note }: TurnLineProps) {
  return (
    <li className="flex items-center gap-2 py-0.5">
      <Aspect status={turn.status} size={14} label={null} />
      <Plate code={turn.headcode} />
      <Link dir="auto" className="min-w-0 flex-1 truncate hover:underline" href={`${base}/turns/${turn.agent_turn_id}`}>
        {name}
      </Link>
      <span className="text-ink-3">{note}</span>
    </li>
  );
}

function RunLink({ base, plan, named }: { base: string; plan: string; named: RunNamed }) {
  const at = plan === "" ? "" : `/${encodeURIComponent(plan)}`;
  return (
    <Link className="underline" href={`${base}/compose${at}?run=${named.root_turn_id}`}>
      run {named.run_number}
    </Link>
  );
}

/** "waits for Three searches", "runs: it was changed" and "skipped: a person skipped it" need no status before them. */
const isSaidByItself = (words: string, status: string): boolean =>
  words === status ||
  words.startsWith(`${status} `) ||
  words.startsWith(`${status}:`) ||
  words.startsWith("waits for") ||
  words.startsWith("runs: ") ||
  words.startsWith("on hold");
