// DBOS, the three ways its documentation fans out: child workflows started by their parent, child workflows on a queue,
// and steps of one workflow. The join is the parent workflow's end.
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Contender, OpenContender } from "../../fork/contender";

const QUEUE = "children";
const POLL_MS = 10;

type Way = "children" | "queue" | "steps";

const child = DBOS.registerWorkflow((n: number) => Promise.resolve(n), { name: "child" });

const parents = {
  children: DBOS.registerWorkflow(
    async (n: number) => {
      const handles = await Promise.all(numbers(n).map((i) => DBOS.startWorkflow(child)(i)));
      return (await Promise.all(handles.map((handle) => handle.getResult()))).length;
    },
    { name: "parent-of-children" },
  ),
  queue: DBOS.registerWorkflow(
    async (n: number) => {
      const handles = await Promise.all(numbers(n).map((i) => DBOS.startWorkflow(child, { queueName: QUEUE })(i)));
      return (await DBOS.waitAll(handles, { pollingIntervalMs: POLL_MS })).length;
    },
    { name: "parent-of-queue" },
  ),
  steps: DBOS.registerWorkflow(
    async (n: number) => {
      const steps = numbers(n).map((i) => DBOS.runStep(() => Promise.resolve(i), { name: "child" }));
      return (await Promise.all(steps)).length;
    },
    { name: "parent-of-steps" },
  ),
};

export const openDbosChildren: OpenContender = (url) => open(url, "children");
export const openDbosQueue: OpenContender = (url) => open(url, "queue");
export const openDbosSteps: OpenContender = (url) => open(url, "steps");

async function open(url: string, way: Way): Promise<Contender> {
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    logLevel: "error",
    applicationVersion: "bench",
  });
  await DBOS.launch();
  if (way === "queue") await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: POLL_MS });
  return {
    fork: async (n) => {
      const handle = await DBOS.startWorkflow(parents[way])(n);
      const joined = await handle.getResult();
      if (joined !== n) throw new Error(`${joined} of ${n} joined`);
    },
    close: () => DBOS.shutdown(),
  };
}

const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
