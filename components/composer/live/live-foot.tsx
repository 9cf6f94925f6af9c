"use client";

// Under the inspector while a run is watched: what was changed is sent or discarded, a fork is launched, a step decided.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { formatCount } from "@/components/ui/format";
import { knownParts, usePlan } from "../composer-context";
import { bodyOf } from "./use-run-store";
import type { Watch } from "./use-watch";

export function LiveFoot({ watch }: { watch: Watch }) {
  const { steps, mode, refusal, isForking, actions, check, force, store, watched } = watch;
  const [isStopping, setIsStopping] = useState(false);
  const parts = knownParts(usePlan());
  // A fork is no turn itself: its tasks are.
  const runs =
    check.answer?.places.filter(({ place, verdict }) => {
      const part = parts.get(place);
      return verdict === "runs" && part !== undefined && "instruction" in part;
    }).length ?? 0;
  const failure = actions.failure;
  const drop = () => {
    store.replace(bodyOf(watched));
    watch.setForce([]);
  };
  return (
    <footer className="composer-foot">
      {failure === null ? null : (
        <p role="alert" className="w-full rounded-2 bg-wash-fail px-2.5 py-2 text-st-failed">
          {failure}
        </p>
      )}
      {isForking ? (
        <>
          <span className="w-full">
            {check.answer === null ? "" : runs === 0 ? "Nothing would run" : `${formatCount(runs, "turn")} to run`}
          </span>
          {steps > 0 ? <Button onClick={drop}>Discard</Button> : null}
          <Button
            variant="primary"
            icon="fork"
            keys="mod+enter"
            aria-disabled={actions.isPending || check.isOld || runs === 0 || check.answer?.ok !== true}
            onClick={() => {
              if (runs > 0 && !check.isOld && check.answer?.ok === true) actions.fork(force);
            }}
          >
            Launch the fork
          </Button>
        </>
      ) : steps > 0 && mode === "edit" ? (
        <>
          <span className="min-w-0 flex-1">{formatCount(steps, "change")}, not sent</span>
          <Button onClick={drop}>Discard</Button>
          <Button
            variant="primary"
            keys="mod+enter"
            aria-disabled={actions.isPending || refusal !== null}
            onClick={() => {
              if (refusal === null) actions.send();
            }}
          >
            Send
          </Button>
        </>
      ) : (
        <>
          <span className="flex-1 text-ink-3">
            {watched.run.status === "running"
              ? "Steps that have started cannot be changed."
              : `The run ended: ${watched.run.status}.`}
          </span>
          {watched.run.status === "running" ? (
            <Button variant="danger" onClick={() => setIsStopping(true)}>
              Stop the run
            </Button>
          ) : null}
        </>
      )}
      {isStopping ? (
        <ConfirmDialog
          title={`Stop run ${watched.run_number}?`}
          description="Everything that runs is stopped, and nothing more of it starts. What was delivered stays."
          action="Stop the run"
          icon="stop"
          isPending={actions.isPending}
          error={failure}
          onConfirm={() => {
            actions.stop();
            setIsStopping(false);
          }}
          onClose={() => setIsStopping(false)}
        />
      ) : null}
    </footer>
  );
}
