"use client";

// The question that forking or running again asks. It needs the whole turn, which a page has read and the yard has not.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Dialog } from "@/components/ui/dialog";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { TurnFrame } from "@/server/contract/frame";
import type { Step } from "@/server/contract/turn";
import { ForkDialog } from "./fork-dialog";
import { RerunDialog } from "./rerun-dialog";
import type { Asked } from "./use-again";

export type AgainDialogsProps = {
  projectId: string;
  turn: Pick<TurnFrame, "agent_turn_id" | "headcode">;
  step: Step | undefined;
  asked: Asked;
  onClose: () => void;
};

export function AgainDialogs({ projectId, turn, step, asked, onClose }: AgainDialogsProps) {
  const trpc = useTRPC();
  const { agent_turn_id, headcode } = turn;
  const [opener] = useState(() => document.activeElement);
  // The dialog that waits for the turn gives way to the one that asks, which then knows no opener to give the focus back to.
  useEffect(() => () => void setTimeout(() => opener instanceof HTMLElement && opener.focus()), [opener]);
  const { data, error, refetch } = useQuery(
    trpc.turn.sheet.queryOptions({ project_id: projectId, agent_turn_id }, patient),
  );
  if (data !== undefined && asked === "rerun")
    return <RerunDialog projectId={projectId} sheet={data} onClose={onClose} />;
  if (data !== undefined && step !== undefined)
    return <ForkDialog projectId={projectId} sheet={data} step={step} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={asked === "rerun" ? `Run ${headcode} again?` : `Fork ${headcode}`}
      width={560}
    >
      {error === null ? (
        <SkeletonRows count={6} rowHeight={36} label="Loading the turn" />
      ) : (
        <Failure size="panel" error={error} what="turn" name={agent_turn_id} onRetry={refetch} />
      )}
    </Dialog>
  );
}
