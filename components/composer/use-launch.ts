"use client";

// Launches the plan as it is drawn. The same drawing sent twice is one launch; changed, it is another.
import { useCallback, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { leanPlan } from "@/server/contract/plan/canonical";
import type { Composing } from "./composer-context";

export type Launching = { isPending: boolean; failure: string | null; launch: (isStepped: boolean) => Promise<void> };

/** `onMissing`: an input that must be filled in first. */
export function useLaunch(
  { projectId, store, checks }: Composing,
  { onLaunched, onMissing }: { onLaunched: (rootTurnId: string) => void; onMissing: (input: string) => void },
): Launching {
  const client = useTRPCClient();
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const attempt = useRef({ action_id: crypto.randomUUID(), sent: "" });
  const launch = useCallback(
    async (is_stepped: boolean) => {
      const { plan, inputs } = store.get();
      if (isPending) return;
      const missing = plan.inputs.find(
        ({ name, required, default: preset }) => required && preset === undefined && !inputs[name]?.trim(),
      );
      if (missing) {
        store.say(`Fill in ${missing.name}. The plan needs it.`);
        return onMissing(missing.name);
      }
      const error = checks.get().problems.find(({ severity }) => severity === "error");
      if (error) return store.say(`Not launched. ${error.message}`);
      const given = Object.fromEntries(
        plan.inputs.flatMap(({ name }) => (inputs[name]?.trim() ? [[name, inputs[name]]] : [])),
      );
      const args = { body: leanPlan(plan), inputs: given, is_stepped };
      const sent = JSON.stringify(args);
      if (attempt.current.sent !== "" && attempt.current.sent !== sent)
        attempt.current = { action_id: crypto.randomUUID(), sent };
      attempt.current.sent = sent;
      setIsPending(true);
      setFailure(null);
      try {
        const { action_id } = attempt.current;
        const made = await client.delegation.launch.mutate({
          project_id: projectId,
          tool: "launch_plan",
          args,
          action_id,
        });
        attempt.current = { action_id: crypto.randomUUID(), sent: "" };
        onLaunched(made.root_turn_id);
      } catch (caught) {
        setFailure(caught instanceof Error ? caught.message : String(caught));
        checks.get().askAgain();
      } finally {
        setIsPending(false);
      }
    },
    [client, projectId, store, checks, isPending, onLaunched, onMissing],
  );
  return { isPending, failure, launch };
}
