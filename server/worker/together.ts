// Calls that arrive while one is running are sent together as the next one: one transaction for many turns that begin or end
// at the same time (many at once multiply the throughput), and no delay for a single call.
import { setImmediate } from "node:timers/promises";
import { isAway } from "./until-written";

type Waiting<In, Out> = { input: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/** `run` answers in input order. A refusal of one call does not affect the others: they are then made one by one. */
export function together<In, Out>(run: (inputs: In[]) => Promise<Out[]>, max = 64): (input: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let isUnderWay = false;

  async function goOn(): Promise<void> {
    isUnderWay = true;
    // Calls caused by the same event all arrive within a moment.
    await setImmediate();
    while (waiting.length > 0) await send(waiting.splice(0, max));
    isUnderWay = false;
  }

  async function send(calls: Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await run(calls.map((call) => call.input));
      for (const [i, call] of calls.entries()) call.resolve(outs[i] as Out);
    } catch (error) {
      if (calls.length > 1 && !isAway(error)) for (const call of calls) await send([call]);
      else for (const call of calls) call.reject(error);
    }
  }

  return (input) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isUnderWay) void goOn();
    });
}
