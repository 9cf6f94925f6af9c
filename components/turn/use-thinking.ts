"use client";

// What the model says right now, as it says it. Nothing of it is stored, so there is nothing to ask for: whoever looks is
// told from the beginning of the step. A hidden tab does not look: HTTP/1.1 allows six connections to a server.
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { foldThinking, type Thinking } from "@/server/contract/thinking";

export type ThinkingNow = Pick<Thinking, "text" | "reasoning" | "is_over"> & {
  /** null until something was said. */
  step_id: string | null;
};

const NOTHING: ThinkingNow = { step_id: null, text: "", reasoning: "", is_over: false };
const AGAIN_MS = 2_000;

/** `isOn`: the turn runs. The last words stay until the next step begins. */
export function useThinking(projectId: string, agentTurnId: string, isOn: boolean): ThinkingNow {
  const client = useTRPCClient();
  const isVisible = useSyncExternalStore(onVisibility, isPageVisible, () => false);
  const [said, setSaid] = useState<{ of: string; thinking: Thinking } | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is a reason to subscribe again.
  useEffect(() => {
    if (!isOn || !isVisible) return;
    let held: Thinking | undefined;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      if (!isLeft) timer ??= setTimeout(() => setAttempt((count) => count + 1), AGAIN_MS);
    };
    const subscription = client.turn.thinking.subscribe(
      { project_id: projectId, agent_turn_id: agentTurnId },
      {
        onData: (piece) => {
          held = foldThinking(held, piece) ?? held;
          if (held) setSaid({ of: agentTurnId, thinking: held });
        },
        onError: again,
        onComplete: again,
      },
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  }, [client, projectId, agentTurnId, isOn, isVisible, attempt]);
  return said?.of === agentTurnId ? said.thinking : NOTHING;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

function isPageVisible(): boolean {
  return document.visibilityState === "visible";
}
