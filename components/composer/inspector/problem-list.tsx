"use client";

// What is wrong with a place, each with its remedies as buttons.
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import type { PlanOp } from "@/server/contract/plan/op";
import { useComposer, usePlan, useProblemsAt } from "../composer-context";
import { remedyWords } from "../drawing/remedy-words";

export function ProblemList({ place }: { place: string }) {
  // That an empty plan has no wagon is said on the ground.
  const problems = useProblemsAt(place).filter(({ code }) => place !== "" || code !== "empty");
  const plan = usePlan();
  const { store } = useComposer();
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Problems" data-field="problem" tabIndex={-1} className="border-line border-b px-4 py-3">
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.at} ${problem.message}`} className="py-1">
          <div
            className={`flex gap-2 rounded-2 px-2.5 py-2 ${problem.severity === "error" ? "bg-wash-fail" : "bg-well"}`}
          >
            <Icon
              name={problem.severity === "error" ? "x" : "warn"}
              size={15}
              className={`mt-0.5 flex-none ${problem.severity === "error" ? "text-st-failed" : "text-st-partial"}`}
            />
            <p dir="auto" className="min-w-0 break-words">
              <span className="sr-only">{problem.severity}: </span>
              {problem.message}
            </p>
          </div>
          {(problem.fixes ?? []).map((fix) => (
            <p key={JSON.stringify(fix)} className="flex items-center gap-2 border-line border-b py-1.5">
              <span dir="auto" className="min-w-0 flex-1">
                {remedyWords(plan, fix)}
              </span>
              <Button size="sm" onClick={() => apply(fix)}>
                Do it
              </Button>
            </p>
          ))}
        </li>
      ))}
    </ul>
  );

  function apply(fix: PlanOp) {
    store.change({ label: remedyWords(plan, fix), ops: [fix] });
  }
}
