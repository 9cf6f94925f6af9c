"use client";

// What the graph of the plan alone tells. It is checked when the frame of a change is drawn: of a letter, or of a key that is held
// down, a person sees the change first and its verdict a moment later, but never more than MAX_MS later.
import { useEffect, useRef, useState } from "react";
import { checkGraph } from "@/server/contract/plan/check-graph";
import type { GraphProblem } from "@/server/contract/plan/checking";
import type { Plan } from "@/server/contract/plan/plan";

/** The server's default. A server that allows fewer refuses what this lets pass. */
const FORK_TASKS_MAX = 64;
const REST_MS = 60;
const MAX_MS = 200;

/** Where things stand is no part of it: what is only moved is not checked again. */
type Graph = Pick<Plan, "nodes" | "inputs" | "result">;

export function useGraphCheck({ nodes, inputs, result }: Plan): readonly GraphProblem[] {
  const [last, setLast] = useState(() => checked({ nodes, inputs, result }));
  /** When the first change came that is not checked yet. */
  const waitsSince = useRef<number | null>(null);
  const { of } = last;
  const isChecked = of.nodes === nodes && of.inputs === inputs && of.result === result;
  useEffect(() => {
    if (isChecked) {
      waitsSince.current = null;
      return;
    }
    waitsSince.current ??= performance.now();
    const left = MAX_MS - (performance.now() - waitsSince.current);
    const timer = setTimeout(() => setLast(checked({ nodes, inputs, result })), Math.max(0, Math.min(REST_MS, left)));
    return () => clearTimeout(timer);
  }, [nodes, inputs, result, isChecked]);
  return last.problems;
}

const checked = (of: Graph) => ({ of, problems: checkGraph(of, { fork_tasks_max: FORK_TASKS_MAX }) });
