// Whether a process still lives, by what it lets be heard: a beat of its event loop every second and, of a web server, answers.
// Pure: what it is told and when. A process that hangs is worse than one that ends, since nobody starts it again.

export type Pulse = {
  /** Its event loop has turned. `isInspected` = a debugger may stop it at any line. */
  beat: (now: number, isInspected: boolean) => void;
  /** It has answered over HTTP, whatever it said. */
  answer: (now: number) => void;
  /** Once a second; why it is taken to hang, null = it does not. */
  look: (now: number) => string | null;
};

export type Patience = {
  /** Without a beat. A large request may hold the loop for seconds, and a lease is a minute. */
  silentMs: number;
  /** Until the first beat, and the first answer: a start on a slow machine. */
  startMs: number;
  /** Without an answer, of a server that is asked every few seconds. */
  unansweredMs: number;
  /** Between two looks, with room. More means that we ourselves were not running. */
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
      // A laptop that slept, a terminal that was stopped, a machine without a free core: the silence was ours.
      const wasAway = now - looked > lookMsMax;
      looked = now;
      if (wasAway || isInspected) {
        beaten = now;
        answered = now;
        return null;
      }
      if (now - beaten > (hasBeaten ? silentMs : startMs))
        return `its event loop has not turned for ${seconds(now - beaten)}`;
      if (isAsked && now - answered > (hasAnswered ? unansweredMs : startMs))
        return `it has answered nobody for ${seconds(now - answered)}`;
      return null;
    },
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
