// The watchdog: every rule runs even if another throws, and two watchdogs never act twice, since each act is a
// compare-and-set of its own (docs/design/kernel.md 10).

import { checkNextRows } from "../audit/check-next-rows";
import type { Kernel } from "../kernel";
import { advancePlans } from "./advance-plans";
import { analyzeGrown } from "./analyze-grown";
import { deleteArtifacts } from "./delete-artifacts";
import { deleteRemoved } from "./delete-removed";
import { deleteUploads } from "./delete-uploads";
import { dropOldAnswers } from "./drop-old-answers";
import { dropOldFrames } from "./drop-old-frames";
import type { RowRule } from "./each-row";
import { expireRequests } from "./expire-requests";
import { expireTools } from "./expire-tools";
import { goOnDeleting } from "./go-on-deleting";
import { indexNewCards } from "./index-new-cards";
import { leaseIdle } from "./lease-idle";
import { requeueUnstarted } from "./requeue-unstarted";
import { ringCommands } from "./ring-commands";
import { ringWaiting } from "./ring-waiting";
import { sweepAlarms } from "./sweep-alarms";
import { sweepBatches } from "./sweep-batches";
import { takeOver } from "./take-over";

/** The rules that do not work row by row send a ring or work on a whole table. */
export type Rule = RowRule | "ring-waiting" | "drop-old-frames" | "drop-old-answers" | "analyze-grown" | "check-rows";
export type WatchReport = { acted: Partial<Record<Rule, number>>; failed: { rule: Rule; error: unknown }[] };

const rules: [Rule, (kernel: Kernel) => Promise<number>][] = [
  ["take-over", takeOver],
  ["requeue-unstarted", requeueUnstarted],
  ["expire-tools", expireTools],
  ["expire-requests", expireRequests],
  ["settle-batches", sweepBatches],
  ["advance-plans", advancePlans],
  ["lease-idle", leaseIdle],
  ["ring-waiting", ringWaiting],
  ["ring-commands", ringCommands],
  ["index-cards", indexNewCards],
  ["sweep-alarms", sweepAlarms],
  ["drop-old-frames", dropOldFrames],
  ["drop-old-answers", dropOldAnswers],
  ["analyze-grown", analyzeGrown],
  ["delete-artifacts", deleteArtifacts],
  ["delete-uploads", deleteUploads],
  ["delete-removed", deleteRemoved],
  ["delete-runs", goOnDeleting],
  ["check-rows", checkNextRows],
];

/** How often each rule acted, and what broke; the caller logs it. */
export async function watchOnce(kernel: Kernel): Promise<WatchReport> {
  const report: WatchReport = { acted: {}, failed: [] };
  for (const [rule, run] of rules) {
    try {
      const count = await run(kernel);
      if (count > 0) report.acted[rule] = count;
    } catch (error) {
      report.failed.push({ rule, error });
    }
  }
  return report;
}
