"use client";

// What this page is, for those who hear it: the eye reads it from the run's menu.
import { useRun } from "./use-run";
import { useTopology } from "./yard-context";

export function YardHeading() {
  const run = useRun(useTopology().scope);
  return <h1 className="sr-only">{run ? `Yard, run ${run.number}: ${run.title}` : "Yard, all runs"}</h1>;
}
