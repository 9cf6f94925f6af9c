// Calls that come while one is under way go out together as the next: one transaction for many turns that begin or end at
// the same time (sixteen at once quadruple the throughput of one by one), and no waiting for one that comes alone.
import { setImmediate } from "node:timers/promises";
import { isAway } from "./until-written";

type Waiting<In, Out> = { input: In; resolve: (out: Out) => void; reject: (error: unknown) => void };

/** `run` answers in input order. What one call is refused for does not touch the others: they are made one by one then. */
export function together<In, Out>(run: (inputs: In[]) => Promise<Out[]>, max = 16): (input: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let isUnderWay = false;

  async function goOn(): Promise<void> {
    isUnderWay = true;
    // Those that were caused by the same event are all there a moment later.
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
