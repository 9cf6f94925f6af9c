// Who takes part. A contender is loaded in its own process only: some of them slow down everything beside them.
import type { OpenContender } from "../fork/contender";

type Entry = { name: string; load: () => Promise<OpenContender> };

export const contenders: Entry[] = [
  { name: "floor", load: async () => (await import("../fork/floor")).openFloor },
  { name: "switchyard", load: async () => (await import("../fork/switchyard")).openSwitchyard },
  { name: "langgraph", load: async () => (await import("./contenders/langgraph")).openLangGraph },
  { name: "dbos-steps", load: async () => (await import("./contenders/dbos")).openDbosSteps },
  { name: "dbos-children", load: async () => (await import("./contenders/dbos")).openDbosChildren },
  { name: "dbos-queue", load: async () => (await import("./contenders/dbos")).openDbosQueue },
  { name: "graphile-worker", load: async () => (await import("./contenders/graphile-worker")).openGraphileWorker },
  { name: "pg-boss", load: async () => (await import("./contenders/pg-boss")).openPgBoss },
  { name: "pg-boss-notified", load: async () => (await import("./contenders/pg-boss")).openPgBossNotified },
];
