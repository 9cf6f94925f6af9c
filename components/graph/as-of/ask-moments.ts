// Asks the server for moments while a playhead is dragged over a run that is too long to be had whole: one question at a time, not more
// often than a hand can tell, and the last place of the hand is always asked for. Free of any framework.
import type { YardTime } from "./yard-time";

/** Between two questions. */
export const ASK_MS = 250;

export type AskMoments<Told> = {
  time: Pick<YardTime, "getState" | "subscribe" | "set">;
  ask: (at: number, signal: AbortSignal) => Promise<Told>;
  put: (at: number, told: Told) => void;
  later: (run: () => void, ms: number) => void;
};

/** What it returns ends it: an answer that comes later is not shown. */
export function askMoments<Told>({ time, ask, put, later }: AskMoments<Told>): () => void {
  const aborter = new AbortController();
  let asked: number | null = null;
  let isBusy = false;
  async function next() {
    const { at } = time.getState();
    if (isBusy || at === null || at === asked || aborter.signal.aborted) return;
    isBusy = true;
    asked = at;
    time.set({ isReading: true });
    try {
      const told = await ask(at, aborter.signal);
      if (aborter.signal.aborted) return;
      put(at, told);
    } catch (failure) {
      if (aborter.signal.aborted) return;
      time.set({ error: failure instanceof Error ? failure.message : String(failure), isReading: false });
    }
    later(() => {
      isBusy = false;
      void next();
    }, ASK_MS);
  }
  void next();
  const stop = time.subscribe(() => void next());
  return () => {
    stop();
    aborter.abort();
  };
}
