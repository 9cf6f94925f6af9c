import { describe, expect, it } from "vitest";
import { ASK_MS, askMoments } from "./ask-moments";
import { createYardTime } from "./yard-time";

const settled = () => new Promise<void>((done) => setImmediate(done));

function asking() {
  const time = createYardTime();
  time.scrub(100);
  const asked: number[] = [];
  const shown: [number, string][] = [];
  const waits: { run: () => void; ms: number }[] = [];
  const answers: { tell: (told: string) => void; fail: (error: unknown) => void }[] = [];
  const signals: AbortSignal[] = [];
  const stop = askMoments<string>({
    time,
    ask: (at, signal) => {
      asked.push(at);
      signals.push(signal);
      return new Promise((tell, fail) => answers.push({ tell, fail }));
    },
    put(at, told) {
      shown.push([at, told]);
      time.set({ isReading: false, error: null });
    },
    later: (run, ms) => waits.push({ run, ms }),
  });
  const answer = async (told: string) => {
    answers.shift()?.tell(told);
    await settled();
  };
  const wait = () => waits.shift()?.run();
  return { time, asked, shown, waits, answers, signals, stop, answer, wait };
}

describe("moments that are asked of the server", () => {
  it("are asked one after the other, and where the hand rests is asked last", async () => {
    const { time, asked, shown, waits, answer, wait } = asking();
    expect(time.getState().isReading).toBe(true);
    for (let at = 101; at <= 160; at++) time.scrub(at);
    expect(asked).toEqual([100]);
    await answer("of 100");
    time.scrub(170);
    expect(asked).toEqual([100]);
    expect(waits.map(({ ms }) => ms)).toEqual([ASK_MS]);
    wait();
    expect(asked).toEqual([100, 170]);
    await answer("of 170");
    expect(shown).toEqual([
      [100, "of 100"],
      [170, "of 170"],
    ]);
    wait();
    expect(asked).toHaveLength(2);
    expect(time.getState().isReading).toBe(false);
  });

  it("say what went wrong, and go on with the next place", async () => {
    const { time, asked, answers, answer, shown, wait } = asking();
    answers.shift()?.fail(new Error("the server is away"));
    await settled();
    expect(time.getState()).toMatchObject({ error: "the server is away", isReading: false });
    wait();
    time.scrub(200);
    expect(asked).toEqual([100, 200]);
    await answer("of 200");
    expect(shown).toEqual([[200, "of 200"]]);
    expect(time.getState().error).toBeNull();
  });

  it("are forgotten by whoever leaves", async () => {
    const { time, signals, stop, answer, shown, asked } = asking();
    stop();
    expect(signals[0]?.aborted).toBe(true);
    await answer("too late");
    time.scrub(300);
    expect([shown, asked]).toEqual([[], [100]]);
  });

  it("are not asked while now is shown", async () => {
    const { time, asked, answer, wait } = asking();
    time.leave();
    await answer("of 100");
    wait();
    expect(asked).toEqual([100]);
  });
});
