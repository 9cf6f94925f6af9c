"use client";

// Stopping a turn: what exactly will happen is said first, for this turn alone and for everything below it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Aspect } from "@/components/ui/aspect";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { withHeir } from "@/components/ui/focus-heir";
import { formatCount } from "@/components/ui/format";
import { Segmented } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { TextInput } from "@/components/ui/text-input";
import { useNow } from "@/components/ui/use-now";
import type { TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { type StopInput, type StopScope, scopeLabels, stopPlan, stoppedWords } from "./stop-words";

export type StopTurnProps = {
  projectId: string;
  turn: TurnFrame;
  /** What lives below it now; asked again while the question stands. */
  getBelow: () => Omit<StopInput, "turn">;
};

/** Nothing where the turn has ended: a button that cannot act says nothing. */
export function StopTurn({ projectId, turn, getBelow }: StopTurnProps) {
  const [isAsking, setIsAsking] = useState(false);
  const canStop = !isEnded(turn.status);
  useShortcut("s", "Stop it", () => setIsAsking(true), { group: "Yard", isEnabled: canStop });
  // A turn that ends while the question stands keeps the question: its answer says that there was nothing left to stop.
  if (!canStop && !isAsking) return null;
  return (
    <>
      <Button
        ref={withHeir}
        variant="danger"
        keys="s"
        aria-haspopup="dialog"
        disabled={!canStop}
        onClick={() => setIsAsking(true)}
      >
        Stop
      </Button>
      {isAsking ? (
        <StopDialog projectId={projectId} turn={turn} getBelow={getBelow} onClose={() => setIsAsking(false)} />
      ) : null}
    </>
  );
}

function StopDialog({ projectId, turn, getBelow, onClose }: StopTurnProps & { onClose: () => void }) {
  const trpc = useTRPC();
  const [scope, setScope] = useState<StopScope>("turn");
  const [reason, setReason] = useState("");
  // Branches end while one reads: the counts are those of now.
  useNow();
  const input = { turn, ...getBelow() };
  const plans = { turn: stopPlan(input, "turn"), subtree: stopPlan(input, "subtree") };
  const labels = scopeLabels(plans);
  const plan = plans[scope];
  const hasChoice = plans.turn.stops !== plans.subtree.stops;
  const stop = useMutation(
    trpc.turn.stop.mutationOptions({
      onSuccess({ stopped }) {
        announce({
          title: stoppedWords(turn, stopped),
          status: "canceled",
          detail: reason === "" ? undefined : reason,
        });
        onClose();
      },
    }),
  );
  const isOver = isEnded(turn.status);
  const run = () =>
    stop.mutate({
      project_id: projectId,
      agent_turn_id: turn.agent_turn_id,
      scope,
      ...(reason.trim() !== "" && { reason: reason.trim() }),
    });
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Stop ${turn.headcode}?`}
      description={turn.title}
      width={480}
      footer={
        <>
          <Button onClick={onClose}>Let it run</Button>
          <Button
            variant="danger"
            icon="stop"
            aria-disabled={stop.isPending || isOver}
            onClick={() => (stop.isPending || isOver ? undefined : run())}
          >
            {stop.isPending ? "Stopping" : `Stop ${formatCount(plan.stops, "turn")}`}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!stop.isPending && !isOver) run();
        }}
      >
        {hasChoice ? (
          <Segmented
            label="What to stop"
            value={scope}
            onChange={setScope}
            choices={[
              { value: "turn", label: labels.turn },
              { value: "subtree", label: labels.subtree },
            ]}
          />
        ) : null}
        <ul className="flex flex-col gap-2" aria-label="What will happen">
          {plan.lines.map((line) => (
            <li key={line} className="flex gap-2 leading-[1.45]">
              <span aria-hidden className="mt-[8px] h-0.5 w-2 flex-none bg-rail" />
              <span className="text-ink-2">{line}</span>
            </li>
          ))}
        </ul>
        <Field label="Reason" hint="Optional. Saved with the turn and passed to its caller.">
          <TextInput
            value={reason}
            maxLength={500}
            placeholder="Reason"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {isOver ? (
          <p role="status" className="flex items-center gap-2">
            <Aspect status={turn.status} size={14} label={null} />
            It ended in the meantime as {turn.status}. Nothing to stop.
          </p>
        ) : null}
        {stop.error ? (
          <p role="alert" className="text-st-failed">
            Could not stop it: {stop.error.message}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
