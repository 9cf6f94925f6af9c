"use client";

// One box while it is looked at: its sheet, its weights, and what the stream adds to both. A box only grows, so growth is
// fetched from the old length on and joined at the end.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useFrames } from "@/components/domain/use-frames";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import type { Frame } from "@/server/contract/frame";
import type { BoxSheet } from "@/server/contract/line";
import { isEnded } from "@/server/contract/turn";
import { joinWeights } from "./stack";

export function useBox(projectId: string, boxId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const id = { project_id: projectId, box_id: boxId };
  // What is live comes over the stream from the sheet's cursor on; asking again on a timer would only repeat it.
  const sheet = useQuery(trpc.box.get.queryOptions(id, patientForEver));
  const weights = useQuery(trpc.box.weights.queryOptions({ ...id, from: 0 }, patientForEver));
  const length = sheet.data?.length ?? 0;
  const known = weights.data?.tokens.length;

  const grow = useEffectEvent(async (from: number) => {
    const more = await queryClient.fetchQuery(trpc.box.weights.queryOptions({ ...id, from }, { staleTime: 0 }));
    queryClient.setQueryData(trpc.box.weights.queryKey({ ...id, from: 0 }), (before) =>
      before === undefined ? before : joinWeights(before, more),
    );
  });
  useEffect(() => {
    // A failed fetch is tried again with the next frame; until then the head says more cards than the list.
    if (known !== undefined && known < length) void grow(known);
  }, [known, length]);

  // Lines that came stay, so the list begins anew when a card was deleted.
  const [deletions, setDeletions] = useState(0);
  const isOpen = sheet.data !== undefined && canGrow(sheet.data);
  const isLive = useFrames({
    projectId,
    after: sheet.data?.cursor,
    onFrames: (frames) => {
      if (frames.some((frame) => frame.kind === "card")) {
        queryClient.removeQueries({ queryKey: trpc.box.lines.pathKey() });
        setDeletions((count) => count + 1);
      }
      queryClient.setQueryData(trpc.box.get.queryKey(id), (before) =>
        before === undefined ? before : applyFrames(before, frames, new Date().toISOString()),
      );
    },
    onReset: () => void sheet.refetch(),
  });
  return { sheet, weights, isLive: isOpen && isLive, deletions };
}

/** Only a turn's output grows; an agent that is called again goes on in the same box. */
function canGrow(sheet: BoxSheet): boolean {
  return sheet.kind === "output" || sheet.turns.some((turn) => !isEnded(turn.status));
}

/** `now` is when the frames came: a frame of growth carries no time of its own. */
export function applyFrames(sheet: BoxSheet, frames: readonly Frame[], now: string): BoxSheet {
  let next = sheet;
  for (const frame of frames) {
    if (frame.kind === "box" && frame.id === next.box_id && frame.rev > next.rev) {
      next = { ...next, rev: frame.rev, length: frame.length, token_sum: frame.token_sum, updated_at: now };
    } else if (frame.kind === "turn") {
      next = withTurn(next, frame);
    }
  }
  return next;
}

function withTurn(sheet: BoxSheet, frame: Extract<Frame, { kind: "turn" }>): BoxSheet {
  const { box_id } = sheet;
  const use = frame.context_box_id === box_id ? "context" : frame.output_box_id === box_id ? "output" : null;
  const known = sheet.turns.find((turn) => turn.agent_turn_id === frame.agent_turn_id);
  const { window_tokens, sent_tokens, fullest_tokens } = frame;
  const figures = { window_tokens, sent_tokens, fullest_tokens };
  if (known) {
    if (known.status === frame.status && known.sent_tokens === frame.sent_tokens) return sheet;
    const turns = sheet.turns.map((turn) => (turn === known ? { ...turn, status: frame.status, ...figures } : turn));
    // What was reported was reported of another request.
    return { ...sheet, turns, reported_tokens: known === sheet.turns[0] ? undefined : sheet.reported_tokens };
  }
  if (use === null) return sheet;
  const { agent_turn_id, root_turn_id, headcode, agent_id, profile_name, is_human, status, title, created_at } = frame;
  const turn = {
    ...{ agent_turn_id, root_turn_id, headcode, agent_id, profile_name, is_human, status, title, created_at },
    use,
    ...figures,
  } as const;
  const origins = sheet.origins.some((entry) => entry.agent_turn_id === agent_turn_id)
    ? sheet.origins
    : [...sheet.origins, { origin: `turn:${agent_turn_id}`, cards: 0, headcode, agent_turn_id }];
  return { ...sheet, origins, turns: [turn, ...sheet.turns], turn_count: sheet.turn_count + 1 };
}
