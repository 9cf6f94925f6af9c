"use client";

// One turn while its page is open: read whole, and read again when the stream tells of it or of anything in its run, at most
// so often. What an earlier answer said stays until the next is there.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import type { Frame } from "@/server/contract/frame";
import type { TurnSheet } from "@/server/contract/turn-sheet";

const readAgainMs = 400;

export function useTurnSheet(projectId: string, agentTurnId: string) {
  const trpc = useTRPC();
  const sheet = useQuery(
    trpc.turn.sheet.queryOptions({ project_id: projectId, agent_turn_id: agentTurnId }, patientForEver),
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { data, refetch } = sheet;
  // The stream goes on from where it is; a newer sheet is no reason to open another one.
  const [from, setFrom] = useState(data?.cursor);
  if (from === undefined && data !== undefined) setFrom(data.cursor);
  const isLive = useFrames({
    projectId,
    after: from,
    onFrames(frames) {
      if (data === undefined || !frames.some((frame) => concerns(frame, data))) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void refetch();
      }, readAgainMs);
    },
    onReset: () => void refetch().then((again) => setFrom(again.data?.cursor)),
  });
  return { sheet, isLive };
}

/** Costs below it, callees, forks of it and what a stop would meet are all told of by frames of turns and batches. */
function concerns(frame: Frame, sheet: TurnSheet): boolean {
  if (frame.kind === "turn")
    return frame.root_turn_id === sheet.root_turn_id || frame.forked_from?.agent_turn_id === sheet.agent_turn_id;
  if (frame.kind === "batch" || frame.kind === "batch_task") return frame.root_turn_id === sheet.root_turn_id;
  return (
    (frame.kind === "rejected_late" || frame.kind === "human_request") && frame.agent_turn_id === sheet.agent_turn_id
  );
}
