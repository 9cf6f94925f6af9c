// One entry point for both kinds of log.
import type { ImportPlan } from "../plan";
import type { Slices } from "../slices";
import type { WhoAndWhenLog } from "./log";
import { planGroupChat } from "./plan-group-chat";
import { planOrchestrated } from "./plan-orchestrated";

export function* planWhoAndWhen(log: WhoAndWhenLog): Slices<ImportPlan> {
  return log.kind === "orchestrated" ? yield* planOrchestrated(log) : yield* planGroupChat(log);
}
