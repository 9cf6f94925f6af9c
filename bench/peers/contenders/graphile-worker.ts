// graphile-worker: jobs added in one call, LISTEN/NOTIFY, and the settings of its own performance page.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import type { OpenContender } from "../../fork/contender";
import { type Child, openJoinRows } from "./join-rows";

const silent = new Logger(() => () => undefined);

export const openGraphileWorker: OpenContender = async (url) => {
  const join = await openJoinRows(url);
  const runner = await run({
    preset: {
      worker: {
        connectionString: url,
        concurrentJobs: 24,
        maxPoolSize: 25,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: silent,
      },
    },
    taskList: { child: (payload) => join.endOne(payload as Child) },
    parsedCronItems: [],
    noHandleSignals: true,
  });
  const utils = await makeWorkerUtils({ connectionString: url, logger: silent });
  return {
    fork: async (n) => {
      const { children, joined } = await join.begin(n);
      await utils.addJobs(children.map((payload) => ({ identifier: "child", payload })));
      await joined;
    },
    close: async () => {
      await runner.stop();
      await utils.release();
      await join.close();
    },
  };
};
