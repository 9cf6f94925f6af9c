// pg-boss: a bulk insert, and workers that fetch 64 jobs at a time. It has no push: its shortest documented poll is half
// a second, unless the worker is known to whoever inserts and is notified in the same process, which is the second way.
import PgBoss from "pg-boss";
import type { Contender, OpenContender } from "../../fork/contender";
import { type Child, openJoinRows } from "./join-rows";

const QUEUE = "children";
const WORKERS = 2;

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
  const workers: string[] = [];
  for (let i = 0; i < WORKERS; i++) {
    const options = { batchSize: 64, pollingIntervalSeconds: 0.5 };
    workers.push(await boss.work<Child>(QUEUE, options, (jobs) => join.end(jobs.map((job) => job.data))));
  }
  return {
    fork: async (n) => {
      const { children, joined } = await join.begin(n);
      await boss.insert(children.map((data) => ({ name: QUEUE, data })));
      if (isNotified) for (const worker of workers) boss.notifyWorker(worker);
      await joined;
    },
    close: async () => {
      await boss.stop({ graceful: false, wait: true });
      await join.close();
    },
  };
}
