// The columns of the list of runs, in their order.
import type { RunSort } from "@/server/contract/run-order";

export type RunColumn = { name: string; width: string; isRight?: boolean; title?: string };

export const runColumns: Record<RunSort, RunColumn> = {
  begun: { name: "Started", width: "84px", isRight: true },
  status: { name: "Status", width: "104px" },
  title: { name: "Run", width: "minmax(180px,1fr)" },
  who: { name: "Who", width: "minmax(72px,130px)" },
  duration: { name: "Duration", width: "78px", isRight: true, title: "From its beginning to the end of its last turn" },
  turns: { name: "Turns", width: "64px", isRight: true, title: "Turns of agents, and of the people who launched them" },
  failed: { name: "Failures", width: "70px", isRight: true, title: "Turns that failed or ran out of time" },
  tokens: {
    name: "Reported",
    width: "76px",
    isRight: true,
    title: "Tokens in and out, as the providers reported them. The yard shows those that the boxes hold",
  },
  cost: { name: "Cost", width: "72px", isRight: true },
  alarms: { name: "Alarms", width: "66px", isRight: true, title: "Alarms that are not muted" },
};

/** As they stand from left to right. */
export const columnOrder: readonly RunSort[] = [
  "status",
  "title",
  "who",
  "begun",
  "duration",
  "turns",
  "failed",
  "tokens",
  "cost",
  "alarms",
];
