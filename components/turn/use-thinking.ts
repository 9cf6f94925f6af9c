"use client";

// What the model says right now, as it says it. Nothing of it is stored, so there is nothing to ask for: whoever looks is
// told from the beginning of the step. A hidden tab does not look.
import { useEffect, useState } from "react";
import { keepStream } from "@/components/domain/keep-stream";
import { usePageVisible } from "@/components/domain/use-page-visible";
import { useTRPCClient } from "@/components/trpc/client";
import { foldThinking, type Thinking } from "@/server/contract/thinking";

export type ThinkingNow = Pick<Thinking, "text" | "reasoning" | "is_over"> & {
  /** null until something was said. */
  step_id: string | null;
};

const NOTHING: ThinkingNow = { step_id: null, text: "", reasoning: "", is_over: false };

/** `isOn`: the turn runs. The last words stay until the next step begins. */
export function useThinking(projectId: string, agentTurnId: string, isOn: boolean): ThinkingNow {
  const client = useTRPCClient();
  const isVisible = usePageVisible();
  const [said, setSaid] = useState<{ of: string; thinking: Thinking } | null>(null);

  useEffect(() => {
    if (!isOn || !isVisible) return;
    return keepStream(
      ({ onStarted, onEnded }) => {
        let held: Thinking | undefined;
        return client.turn.thinking.subscribe(
          { project_id: projectId, agent_turn_id: agentTurnId },
          {
            onStarted,
            onData: (piece) => {
              held = foldThinking(held, piece) ?? held;
              if (held) setSaid({ of: agentTurnId, thinking: held });
            },
            onError: onEnded,
            onComplete: onEnded,
          },
        );
      },
      () => undefined,
    );
  }, [client, projectId, agentTurnId, isOn, isVisible]);
  return said?.of === agentTurnId ? said.thinking : NOTHING;
}
