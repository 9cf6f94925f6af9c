"use client";

// What is wrong with the plan as it is drawn, and what each wagon would be given. The graph is checked in the browser, right after a
// change is drawn; the kernel is asked when editing rests, one request at a time. Its last answer stays until the next, and is known
// to be old.
import { useEffect, useMemo, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { leanPlan } from "@/server/contract/plan/canonical";
import { isKernelCode, type PlaceCheck, type PlanCheck } from "@/server/contract/plan/kernel-check";
import type { Plan } from "@/server/contract/plan/plan";
import { idsOf } from "@/server/contract/plan/plan-words";
import { type PlanProblem, placeOfProblem } from "@/server/contract/plan/problem";
import { sameJson } from "@/server/contract/same-json";
import { checkedInputs } from "../draft/given-inputs";
import { useGraphCheck } from "./use-graph-check";

export type Checked = {
  /** In starting order; those of the kernel are of its last answer. */
  problems: readonly PlanProblem[];
  /** By place: what a problem stands on. */
  problemsAt: ReadonlyMap<string, readonly PlanProblem[]>;
  /** By place; of the last answer. */
  places: ReadonlyMap<string, PlaceCheck>;
  /** Null = not asked yet. */
  askedAt: Date | null;
  /** The plan has changed since the kernel answered. */
  isOld: boolean;
  /** Why the kernel could not be asked. */
  failure: string | null;
  askAgain: () => void;
};

/** Before the first answer. */
export const notChecked: Checked = {
  problems: [],
  problemsAt: new Map(),
  places: new Map(),
  askedAt: null,
  isOld: true,
  failure: null,
  askAgain: () => undefined,
};

const REST_MS = 250;

export type CheckWhat = {
  plan: Plan;
  inputs: Readonly<Record<string, string>>;
  /** A plan run whose recorded results stand in for those that are not there yet; null = none. */
  resultsOf: string | null;
};

export function useCheck(projectId: string, { plan, inputs, resultsOf }: CheckWhat): Checked {
  const client = useTRPCClient();
  const [last, setLast] = useState<{ of: Plan; with: typeof inputs; answer: PlanCheck; at: Date } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  const wasAsked = useRef(false);
  const graph = useGraphCheck(plan);
  const isEmpty = plan.nodes.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` asks once more
  useEffect(() => {
    if (isEmpty) return;
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        wasAsked.current = true;
        const body = leanPlan(plan);
        const { signal } = controller;
        const asked = {
          project_id: projectId,
          body,
          ...checkedInputs(plan, inputs),
          ...(resultsOf !== null && { results_of: resultsOf }),
        };
        client.plan.check.mutate(asked, { signal }).then(
          (answer) => {
            if (signal.aborted) return;
            setFailure(null);
            setLast({ of: plan, with: inputs, answer, at: new Date() });
          },
          (error: unknown) => {
            if (!signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
          },
        );
      },
      // The first question is asked at once, the next ones when editing rests.
      wasAsked.current ? REST_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, projectId, plan, inputs, resultsOf, isEmpty, asked]);
  // What says the same stays the same object: of three hundred wagons only those are drawn again of which something else is known.
  const known = useRef<Pick<Checked, "places" | "problemsAt">>({ places: new Map(), problemsAt: new Map() });
  const places = useMemo(
    () => kept(known.current.places, new Map((last?.answer.nodes ?? []).map((one) => [one.place, one]))),
    [last],
  );
  const checked = useMemo(() => {
    // Both answers may be of an earlier plan: what is gone has no problems any more.
    const there = new Set(["", ...idsOf(plan)]);
    const isThere = ({ at }: PlanProblem) => there.has(placeOfProblem(at));
    const ofKernel = (last?.answer.problems ?? []).filter(({ code }) => isKernelCode(code));
    const problems: PlanProblem[] = [...graph, ...ofKernel].filter(isThere);
    return {
      problems,
      problemsAt: kept(known.current.problemsAt, byPlace(problems)),
      places,
      askedAt: last?.at ?? null,
      isOld: last === null || last.of !== plan || last.with !== inputs,
      failure,
      askAgain: () => setAsked((n) => n + 1),
    };
  }, [graph, last, places, plan, inputs, failure]);
  known.current = checked;
  return checked;
}

/** The entries of before where they are equal. */
function kept<Value extends object>(before: ReadonlyMap<string, Value>, now: Map<string, Value>): Map<string, Value> {
  for (const [place, value] of now) {
    const was = before.get(place);
    if (was !== undefined && was !== value && sameJson(was, value)) now.set(place, was);
  }
  return now;
}

function byPlace(problems: readonly PlanProblem[]): Map<string, PlanProblem[]> {
  const found = new Map<string, PlanProblem[]>();
  for (const problem of problems) {
    const place = placeOfProblem(problem.at);
    const list = found.get(place);
    if (list) list.push(problem);
    else found.set(place, [problem]);
  }
  return found;
}
