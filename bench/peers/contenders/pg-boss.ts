// pg-boss: a bulk insert, and a worker that fetches 64 jobs at a time (two or four are slower). It has no push: its
// shortest poll is half a second, unless the inserter is in the worker's process and notifies it: that is the second variant.
import PgBoss from "pg-boss";
import type { Contender, OpenContender } from "../../fork/contender";
import { type Child, openJoinRows } from "./join-rows";

const QUEUE = "children";

export const openPgBoss: OpenContender = (url) => open(url, false);
export const openPgBossNotified: OpenContender = (url) => open(url, true);

async function open(url: string, isNotified: boolean): Promise<Contender> {
  const join = await openJoinRows(url);
  const boss = new PgBoss({ connectionString: url, max: 10, schedule: false });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  let worker = "";
  const work = async (jobs: PgBoss.Job<Child>[]): Promise<void> => {
    await join.endMany(jobs.map((job) => job.data));
    // Otherwise what did not fit into this batch waits for the next poll.
    if (isNotified) boss.notifyWorker(worker);
  };
  worker = await boss.work<Child>(QUEUE, { batchSize: 64, pollingIntervalSeconds: 0.5 }, work);
  return {
    fork: async (n) => {
      const { children, joined } = await join.begin(n);
      await boss.insert(children.map((data) => ({ name: QUEUE, data })));
      if (isNotified) boss.notifyWorker(worker);
      await joined;
    },
    close: async () => {
      await boss.stop({ graceful: false, wait: true });
      await join.close();
    },
  };
}
