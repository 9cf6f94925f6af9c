"use client";

// An older version becomes the draft: one step, which can be taken back.
import { useEffect, useRef } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { opsBetween } from "@/server/contract/plan/ops-between";
import { PlanShape } from "@/server/contract/plan/plan";
import type { DrawingStore } from "../draft/drawing-store";

/** `version` null = none is restored. */
export function useRestored(
  projectId: string,
  plan: string | undefined,
  version: number | null,
  store: DrawingStore,
  onDone: () => void,
): void {
  const client = useTRPCClient();
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (version === null || plan === undefined) return;
    let isGone = false;
    client.plan.drawing.query({ project_id: projectId, plan, version }).then(
      ({ version: found }) => {
        if (isGone) return;
        done.current();
        if (!found) return store.say(`v${version} no longer exists.`);
        const next = PlanShape.parse({ ...found.body, layout: found.layout });
        const ops = opsBetween(store.get().plan, next);
        const name = `v${found.version}`;
        if (ops.length === 0) store.say(`The draft is as ${name} already.`);
        else store.change({ label: `${name} restored`, ops });
      },
      (error: unknown) => {
        if (isGone) return;
        done.current();
        store.say(`v${version} could not be read: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    return () => {
      isGone = true;
    };
  }, [client, projectId, plan, version, store]);
}
