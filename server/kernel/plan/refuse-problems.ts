// A plan with errors is refused with all of them: unlike a fork, it is mended as a whole.
import { KernelError } from "@/server/contract/errors";
import type { PlanProblem } from "@/server/contract/plan/problem";

/** invalid_plan; the message is the first problem's, `detail.problems` has all. */
export function refuseProblems(problems: readonly PlanProblem[]): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  throw new KernelError("invalid_plan", `${first.message}${more}`, { path: first.path, problems: [...problems] });
}
