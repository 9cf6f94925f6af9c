// Failure codes of plans alone; part of the one list in failures.ts.
import type { Failure } from "../failure";

export const planFailures = {
  invalid_plan: {
    status: 400,
    where: ["request", "call"],
    cause: "The plan cannot run as it is drawn.",
    remedy: "Mend what `detail.problems` lists. `POST /plans:check` gives the same list without launching.",
  },
  plan_moved: {
    status: 409,
    where: ["request"],
    cause: "Someone published a newer version of the plan after the one that this was made from.",
    remedy: "Compare with the head in `detail.head`, and publish with its number as `base_version`.",
  },
  packed: {
    status: 409,
    where: ["request"],
    cause: "The edit changes a node of a plan run that has started or is over. What was packed is fixed.",
    remedy: "Change what comes after it, stop it, or fork the run.",
  },
  dispatch_retry_exhausted: {
    status: null,
    where: ["turn"],
    cause: "A node of a plan could not be started in five tries, because the queue was full or the database was away.",
    remedy: "Retry the node when there is room again.",
  },
} as const satisfies Record<string, Failure>;
