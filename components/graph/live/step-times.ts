// The steps of the turns that the timeline draws. No frame carries their times, so they are read for the rows in view, and
// again when a turn's frame says that there is more to know. Free of any framework.
import type { TurnFrame } from "@/server/contract/frame";
import { STEP_TURNS_MAX, type StepTime, type TurnSteps } from "@/server/contract/spans";

export type StepTimes = {
  /** Empty while nothing is known; the same object as long as nothing is read again. */
  stepsOf: (agentTurnId: string) => readonly StepTime[];
  /** These are in view now: the ones that are missing or out of date are read soon. */
  want: (turns: readonly TurnFrame[]) => void;
  subscribe: (listener: () => void) => () => void;
  /** Goes up with everything that was read. */
  getVersion: () => number;
};

export type StepTimesPort = {
  read: (agentTurnIds: string[]) => Promise<TurnSteps[]>;
  /** Runs once, after so long. */
  later: (run: () => void, ms: number) => void;
};

const READ_AGAIN_MS = 600;
const AFTER_FAILURE_MS = 4_000;

export function createStepTimes({ read, later }: StepTimesPort): StepTimes {
  const known = new Map<string, { mark: string; steps: readonly StepTime[] }>();
  let wanted: readonly TurnFrame[] = [];
  let isBusy = false;
  let version = 0;
  const listeners = new Set<() => void>();

  const isStale = (turn: TurnFrame): boolean => hasSteps(turn) && known.get(turn.agent_turn_id)?.mark !== markOf(turn);

  async function readStale() {
    const turns = wanted.filter(isStale).slice(0, STEP_TURNS_MAX);
    if (isBusy || turns.length === 0) return;
    isBusy = true;
    const found = await read(turns.map((turn) => turn.agent_turn_id)).catch(() => null);
    const steps = new Map(found?.map((turn) => [turn.agent_turn_id, turn.steps]));
    if (found !== null) {
      // As it was when it was asked for: what came since makes it stale again.
      for (const turn of turns)
        known.set(turn.agent_turn_id, { mark: markOf(turn), steps: steps.get(turn.agent_turn_id) ?? none });
      version++;
      for (const listener of listeners) listener();
    }
    later(
      () => {
        isBusy = false;
        void readStale();
      },
      found === null ? AFTER_FAILURE_MS : READ_AGAIN_MS,
    );
  }

  return {
    stepsOf: (agentTurnId) => known.get(agentTurnId)?.steps ?? none,
    want(turns) {
      wanted = turns;
      void readStale();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getVersion: () => version,
  };
}

const none: readonly StepTime[] = [];

const hasSteps = (turn: TurnFrame): boolean => !turn.is_human && turn.step_count > 0;

/** Changes whenever a step begins, has its answer or is over; not with a heartbeat. */
const markOf = ({ status, turn_epoch, step_count, output_cards, tokens_out }: TurnFrame): string =>
  `${status} ${turn_epoch} ${step_count} ${output_cards} ${tokens_out}`;
