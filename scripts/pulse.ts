// Whether a process still works, judged by its signs of life: a beat of its event loop every second and, for a web server,
// answers. Pure. A process that hangs is worse than one that exits, because nobody restarts it.

export type Pulse = {
  /** Its event loop has turned. `isInspected` = a debugger may stop it at any line. */
  beat: (now: number, isInspected: boolean) => void;
  /** It has answered over HTTP, whatever it said. */
  answer: (now: number) => void;
  /** Once a second; why it is taken to hang, null = it does not. */
  look: (now: number) => string | null;
};

export type Patience = {
  /** Time without a beat. A large request may block the loop for seconds, and a lease is a minute. */
  silentMs: number;
  /** Time until the first beat and the first answer: a start on a slow machine. */
  startMs: number;
  /** Time without an answer, for a server that is asked every few seconds. */
  unansweredMs: number;
  /** Time between two checks, with a margin. More means that we ourselves were not running. */
  lookMsMax: number;
};

const patience: Patience = { silentMs: 20_000, startMs: 120_000, unansweredMs: 40_000, lookMsMax: 4_000 };

export function createPulse(bornAt: number, { isAsked, ...given }: Partial<Patience> & { isAsked: boolean }): Pulse {
  const { silentMs, startMs, unansweredMs, lookMsMax } = { ...patience, ...given };
  let looked = bornAt;
  let beaten = bornAt;
  let answered = bornAt;
  let hasBeaten = false;
  let hasAnswered = false;
  let isInspected = false;
  return {
    beat: (now, inspected) => {
      beaten = now;
      hasBeaten = true;
      isInspected = inspected;
    },
    answer: (now) => {
      answered = now;
      hasAnswered = true;
    },
    look: (now) => {
      // A laptop that slept, a stopped terminal, a machine without a free core: the silence was ours.
      const wasAway = now - looked > lookMsMax;
      looked = now;
      if (wasAway || isInspected) {
        beaten = now;
        answered = now;
        return null;
      }
      if (now - beaten > (hasBeaten ? silentMs : startMs))
        return `its event loop has been blocked for ${seconds(now - beaten)}`;
      if (isAsked && now - answered > (hasAnswered ? unansweredMs : startMs))
        return `it has not answered any request for ${seconds(now - answered)}`;
      return null;
    },
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
