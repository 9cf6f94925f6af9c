"use client";

// What a launch would start, and the one action of this screen.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { ridersOf } from "@/server/contract/plan/plan-words";
import { sumOf, tokenWords } from "./check/figures";
import { useChecked, usePlan } from "./composer-context";
import type { Launching } from "./use-launch";

export function LaunchFoot({
  launching,
  into,
  onDryRun,
  onNextProblem,
}: {
  launching: Launching;
  /** Names the run that it is launched into. */
  into: ReactNode;
  onDryRun: () => void;
  onNextProblem: () => void;
}) {
  const plan = usePlan();
  const places = useChecked((checked) => checked.places);
  // As the bar counts them.
  const errors = useChecked(({ problems }) => problems.filter(({ severity }) => severity === "error").length);
  const turns = ridersOf(plan).filter(({ node }) => !node.disabled).length;
  const sum = sumOf(places.values());
  const isEmpty = turns === 0;
  const isOff = isEmpty || errors > 0;
  return (
    <footer className="composer-foot">
      {launching.failure === null ? null : (
        <p role="alert" className="w-full rounded-2 bg-wash-fail px-2.5 py-2">
          <b className="font-semibold text-st-failed">Not launched.</b> {launching.failure}
        </p>
      )}
      {into}
      <span className="min-w-0 flex-1">
        {isEmpty ? (
          "Nothing to launch yet"
        ) : errors > 0 ? (
          <span className="text-st-failed">{formatCount(errors, "problem")} to fix</span>
        ) : (
          <>
            <b className="block whitespace-nowrap">{sum === null ? "" : `${tokenWords(sum)} tokens`}</b>
            <span className="text-ink-3">{formatCount(turns, "turn")} to start</span>
          </>
        )}
      </span>
      {errors > 0 && !isEmpty ? (
        <Button keys="f8" onClick={onNextProblem}>
          Next problem
        </Button>
      ) : isEmpty ? null : (
        <Button onClick={onDryRun}>Dry run</Button>
      )}
      <Button
        variant="primary"
        icon="launch"
        keys="mod+enter"
        aria-disabled={isOff || launching.isPending}
        onClick={() => {
          if (!isOff) void launching.launch(false);
        }}
      >
        {launching.isPending ? "Launching" : "Launch"}
      </Button>
    </footer>
  );
}
