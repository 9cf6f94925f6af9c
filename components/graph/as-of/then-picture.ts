// A live picture's stand-in that shows another moment. Beneath it the live one is paused and goes on counting, so that whoever looks
// back sees how much is new.
import { emptyPicture, type Frame, fold, type Picture } from "@/server/contract/frame";
import { type HistoryFrame, pictureAt } from "@/server/contract/run-history";
import { createLivePicture, type LiveClock, type LivePicture, type LiveState } from "../live/live-picture";

export type ThenPicture = { live: LivePicture; show: (picture: Picture, at: number) => void };

/** `leave`: what the key that resumes does. */
export function createThenPicture(base: LivePicture, clock: LiveClock, leave: () => void): ThenPicture {
  const inner = createLivePicture(clock);
  let at = 0;
  let known: { of: LiveState; at: number; state: LiveState } | null = null;
  const live: LivePicture = {
    ...inner,
    getState() {
      const of = base.getState();
      if (known?.of !== of || known.at !== at) known = { of, at, state: { ...of, is_loaded: true, paused_at: at } };
      return known.state;
    },
    getCursor: base.getCursor,
    subscribe(listener) {
      const stops = [inner.subscribe(listener), base.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    // Nothing arrives in the past.
    subscribeArrivals: () => () => {},
    pause: () => {},
    resume: leave,
  };
  return {
    live,
    show(picture, moment) {
      at = moment;
      inner.reset(
        Object.values(picture).flatMap((kind): Frame[] => [...kind.values()]),
        "",
      );
    },
  };
}

/** What is not told of a moment is as it is now: the project, its people and profiles, its other runs, and which rules are heard. */
export function groundOf({ run, project, profile, agent, alarm_rule }: Picture, rootTurnId: string): Picture {
  const others = new Map(run);
  others.delete(rootTurnId);
  return { ...emptyPicture(), run: others, project, profile, agent, alarm_rule };
}

/** A branch that has its turn is drawn as the turn. */
const isShown = (frame: Frame): boolean => frame.kind !== "batch_task" || frame.agent_turn_id === undefined;

export function thenOf(base: Picture, rootTurnId: string, history: readonly HistoryFrame[], at: number): Picture {
  const picture = pictureAt(emptyPicture(), history, at);
  const shown = Object.values(picture).flatMap((kind): Frame[] => [...kind.values()].filter(isShown));
  return withRun(fold(groundOf(base, rootTurnId), shown), base, rootTurnId);
}

/** A run is called as it is now also before it began. */
export function withRun(picture: Picture, base: Picture, rootTurnId: string): Picture {
  const run = base.run.get(rootTurnId);
  return picture.run.has(rootTurnId) || run === undefined ? picture : fold(picture, [run]);
}
