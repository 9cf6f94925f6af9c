"use client";

// One step of the tour: what it says, what it points at, and the way on. It is left by Escape, by Close, and after the last step.
import { useEffect, useEffectEvent, useId, useRef } from "react";
import { rememberTour } from "@/components/domain/tour-memory";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { useShortcut } from "@/components/ui/shortcuts";
import { Skeleton } from "@/components/ui/skeleton";
import { boxPlate } from "@/server/contract/box";
import { useBatches, useTopology, useTurns, useYard } from "../yard-context";
import { TourRing } from "./tour-ring";
import { forkOf, TOUR_STEPS, wagonOf } from "./tour-stops";
import { forkWords, handoverWords, leftBehindWords, planWords, type StepWords, wagonWords } from "./tour-words";
import { type TourHandovers, useLeftBehind } from "./use-left-behind";
import "./tour.css";

/** What is brought into view: these turns, this batch, or without both everything. */
export type TourPlace = { turns: readonly string[]; batch?: string };

export type TourPanelProps = {
  step: number;
  isPhone: boolean;
  /** Null leaves the tour. */
  go: (step: number | null) => void;
  /** Brings it into view. */
  show: (place: TourPlace) => void;
};

type Stop = {
  words: StepWords | null;
  place: TourPlace;
  /** Selected, so that the inspector shows it. */
  turn: string | null;
  rings: readonly string[];
  link?: { href: string; text: string };
};

export function TourPanel({ step, isPhone, go, show }: TourPanelProps) {
  const stop = useStop(step, isPhone);
  const panel = useRef<HTMLElement>(null);
  const forward = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  const textId = useId();
  useFocus(step, panel, forward);
  usePointing(step, stop, show);
  const leave = () => {
    rememberTour();
    go(null);
  };
  useShortcut("esc", "Leave the tour", leave, { group: "Yard" });
  const isLast = step === TOUR_STEPS;
  return (
    <>
      <section
        ref={panel}
        role="dialog"
        aria-labelledby={titleId}
        aria-describedby={textId}
        className="tour-panel"
        data-phone={isPhone ? "" : undefined}
      >
        <header className="flex items-center gap-2">
          <h2 id={titleId} className="min-w-0 flex-1 font-semibold" aria-live="polite">
            {stop.words?.title ?? "A hand-over"}
          </h2>
          <span className="text-ink-3">
            {step} of {TOUR_STEPS}
          </span>
          <IconButton icon="x" size={isPhone ? "touch" : "sm"} iconSize={14} label="Close the tour" onClick={leave} />
        </header>
        <div id={textId} className="min-h-[3lh] text-ink-2 leading-[1.5]" aria-live="polite">
          {stop.words === null ? <Skeleton className="h-2.5 w-64" /> : <p>{stop.words.text}</p>}
        </div>
        <footer className="flex items-center gap-2">
          {stop.link === undefined ? null : (
            <Link className="link max-sm:py-2.5" href={stop.link.href}>
              {stop.link.text}
            </Link>
          )}
          <span className="flex-1" />
          {step > 1 ? <Button onClick={() => go(step - 1)}>Back</Button> : null}
          <Button ref={forward} onClick={() => (isLast ? leave() : go(step + 1))}>
            {isLast ? "Done" : "Next"}
          </Button>
        </footer>
      </section>
      <TourRing targets={stop.rings} />
    </>
  );
}

function useStop(step: number, isPhone: boolean): Stop {
  const turns = useTurns();
  const batches = useBatches();
  const { projectId } = useYard();
  const handovers = useLeftBehind(step >= 4);
  const { blocks } = useTopology();
  if (step === 1)
    return {
      words: planWords(isPhone),
      place: { turns: [] },
      turn: null,
      rings: [isPhone ? ".phone-yard" : ".yard-canvas"],
    };
  if (step === 2) {
    const turn = wagonOf(turns);
    return { words: wagonWords(turn), ...at(turn?.agent_turn_id) };
  }
  if (step === 3) {
    const fork = forkOf(
      turns,
      [...batches.values()].map((view) => view.batch),
    );
    const caller = turns.find((turn) => turn.agent_turn_id === fork?.parent_agent_turn_id);
    const words = forkWords(fork, caller);
    if (fork === undefined || !blocks.has(fork.batch_id)) return { words, ...at(undefined) };
    return {
      words,
      place: { turns: [fork.parent_agent_turn_id], batch: fork.batch_id },
      turn: fork.parent_agent_turn_id,
      rings: [`[data-batch="${CSS.escape(fork.batch_id)}"]`],
    };
  }
  return handoverStop(step, handovers, projectId);
}

function handoverStop(step: number, { first, left, isLoading, error }: TourHandovers, projectId: string): Stop {
  const handover = left ?? first;
  if (isLoading) return { words: null, ...at(undefined) };
  if (error !== null && left === undefined && step === 5)
    return {
      words: { ...leftBehindWords(left), text: `The boxes of this run could not be read: ${error}` },
      ...at(undefined),
    };
  if (handover === undefined || (step === 5 && left === undefined))
    return { words: step === 4 ? handoverWords(handover) : leftBehindWords(left), ...at(undefined) };
  const { caller, callee } = handover;
  const plate = boxPlate(callee.context_box_id);
  const given = '[data-part="given"]';
  return {
    words: step === 4 ? handoverWords(handover) : leftBehindWords(left),
    place: { turns: [caller.agent_turn_id, callee.agent_turn_id] },
    turn: callee.agent_turn_id,
    rings:
      step === 4 ? [wagon(caller.agent_turn_id), wagon(callee.agent_turn_id)] : [wagon(callee.agent_turn_id), given],
    link: {
      href: `/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(callee.context_box_id)}`,
      text: step === 4 ? `Open box ${plate}` : `See what was left out of ${plate}`,
    },
  };
}

const wagon = (id: string): string =>
  `.react-flow__node[data-id="${CSS.escape(id)}"] .yard-turn, .phone-wagon[data-turn="${CSS.escape(id)}"]`;

const at = (id: string | undefined): Pick<Stop, "place" | "turn" | "rings"> =>
  id === undefined
    ? { place: { turns: [] }, turn: null, rings: [] }
    : { place: { turns: [id] }, turn: id, rings: [wagon(id)] };

/** Once for each step and its target: afterwards the person may select and move what they like. */
function usePointing(step: number, stop: Stop, show: TourPanelProps["show"]): void {
  const { select } = useYard();
  const key = stop.words === null ? null : `${step} ${stop.rings.join(" ")}`;
  const point = useEffectEvent(() => {
    select(stop.turn);
    show(stop.place);
  });
  useEffect(() => {
    if (key !== null) point();
  }, [key]);
}

/** Into the panel, and at the end to where it came from; that may be gone, as the offer in the banner is. */
function useFocus(
  step: number,
  panel: React.RefObject<HTMLElement | null>,
  forward: React.RefObject<HTMLButtonElement | null>,
): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // The offer goes in the same breath.
      setTimeout(() => {
        const legend = document.querySelector<HTMLElement>("button[aria-label='Legend']");
        const target =
          before instanceof HTMLElement && before !== document.body && before.isConnected ? before : legend;
        if (document.activeElement === document.body || document.activeElement === null) target?.focus();
      });
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back goes away on the first step, and with it the focus
  useEffect(() => {
    // A dialog that has just closed gives the focus back in a timer of its own.
    const timer = setTimeout(() => {
      if (!panel.current?.contains(document.activeElement)) forward.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [step, panel, forward]);
}
