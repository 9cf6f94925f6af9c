// A plan as it is typed: the plan, and everything that is wrong with it, each at its line. The same checks as the kernel's. Pure;
// loaded when an editor is opened, since it brings the reader of YAML.
import { checkGraph } from "@/server/contract/plan/check-graph";
import type { Plan } from "@/server/contract/plan/plan";
import { parseYaml } from "@/server/contract/plan/yaml/parse-yaml";

export type TextProblem = { line: number; severity: "error" | "warning"; message: string };
/** `plan` is null where the text is not one. `lineOf`: of a path in the plan. */
export type CheckedText = { plan: Plan | null; problems: TextProblem[]; lineOf: (path: string) => number };

/** The server's default. A server that allows fewer refuses what this lets pass. */
const FORK_TASKS_MAX = 64;

export function checkText(text: string): CheckedText {
  const read = parseYaml(text);
  if ("problems" in read)
    return {
      plan: null,
      lineOf: () => 1,
      problems: read.problems.map(({ line, path, message }) => ({
        line,
        severity: "error",
        message: path === "" ? message : `${path}: ${message}`,
      })),
    };
  const { plan, placeOf } = read;
  const lineOf = (path: string): number => placeOf(path).line;
  const problems = checkGraph(plan, { fork_tasks_max: FORK_TASKS_MAX }).map(({ path, severity, message }) => ({
    line: lineOf(path),
    severity,
    message,
  }));
  return { plan, problems: problems.toSorted((a, b) => a.line - b.line), lineOf };
}
