"use client";

// Launches the plan as it is drawn. The same drawing sent twice is one launch; changed, it is another.
import { useCallback, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { leanPlan } from "@/server/contract/plan/canonical";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import type { PlanVersion } from "@/server/contract/plan/plan-record";
import { sameJson } from "@/server/contract/same-json";
import type { Composing } from "./composer-context";
import { givenInputs, missingInput } from "./draft/given-inputs";

export type Launching = { isPending: boolean; failure: string | null; launch: (isStepped: boolean) => Promise<void> };

type Published = Pick<PlanVersion, "version" | "body" | "layout">;

/** Where it is drawn as it was published, that version: it is a run of the plan then. Moved wagons stand where they were moved to. */
function launched(plan: Plan, published: Published | null) {
  const body = leanPlan(plan);
  if (!published) return { body };
  const known = leanPlan(PlanShape.parse({ ...published.body, layout: published.layout }));
  return sameJson(body, known) ? { plan: plan.name, version: published.version } : { body };
}

type Followed = {
  /** The root turn of the run that it becomes part of; null = a run of its own. */
  into: string | null;
  onLaunched: (rootTurnId: string) => void;
  onMissing: (input: string) => void;
};

/** `published`: the version that the drawing began from. `onMissing`: an input that must be filled in first. */
export function useLaunch(
  { projectId, store, checks }: Composing,
  published: Published | null,
  { into, onLaunched, onMissing }: Followed,
): Launching {
  const client = useTRPCClient();
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const attempt = useRef({ action_id: crypto.randomUUID(), sent: "" });
  const launch = useCallback(
    async (is_stepped: boolean) => {
      const { plan, inputs } = store.get();
      if (isPending) return;
      const missing = missingInput(plan, inputs);
      if (missing !== undefined) {
        store.say(`Fill in ${missing}. The plan needs it.`);
        return onMissing(missing);
      }
      const error = checks.get().problems.find(({ severity }) => severity === "error");
      if (error) return store.say(`Not launched. ${error.message}`);
      const args = { ...launched(plan, published), inputs: givenInputs(plan, inputs), is_stepped };
      const sent = JSON.stringify([args, into]);
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
          ...(into !== null && { into }),
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
    [client, projectId, store, checks, published, isPending, into, onLaunched, onMissing],
  );
  return { isPending, failure, launch };
}
