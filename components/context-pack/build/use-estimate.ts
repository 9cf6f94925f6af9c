"use client";

// What the pack would be, asked when typing rests. One request at a time: a newer form ends the older one's. The last answer
// stays until the next, marked as old.
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { failureKind } from "@/components/trpc/patient";
import type { PackEstimate } from "@/server/contract/answers/context-packs";
import type { PackToBuild } from "@/server/contract/context-pack/request";
import { type FormFaults, refusalFaults } from "./pack-form";

const RESTS_MS = 350;

export type Estimated = {
  estimate: PackEstimate | null;
  faults: FormFaults;
  /** It is of an earlier form, or the answer is on its way. */
  isOld: boolean;
  /** The server could not be asked. */
  failure: string | null;
};

type Answer = { of: string; estimate: PackEstimate | null; faults: FormFaults; failure: string | null };

export function useEstimate(projectId: string, request: PackToBuild | null): Estimated {
  const client = useTRPCClient();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const asked = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (asked === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      client.context_pack.estimate
        .mutate({ project_id: projectId, request: JSON.parse(asked) as PackToBuild }, { signal: stop.signal })
        .then(
          (estimate) => {
            if (!stop.signal.aborted) setAnswer({ of: asked, estimate, faults: {}, failure: null });
          },
          (error: unknown) => {
            if (stop.signal.aborted) return;
            const message = error instanceof Error ? error.message : String(error);
            const isAway = ["away", "unreachable"].includes(failureKind(error));
            setAnswer((before) => ({
              of: asked,
              estimate: isAway ? (before?.estimate ?? null) : null,
              faults: isAway ? {} : refusalFaults(message),
              failure: isAway ? message : null,
            }));
          },
        );
    }, RESTS_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, client, projectId]);
  if (asked === null) return { estimate: null, faults: {}, isOld: false, failure: null };
  if (answer === null) return { estimate: null, faults: {}, isOld: true, failure: null };
  const isOld = answer.of !== asked;
  return { ...answer, faults: isOld ? {} : answer.faults, isOld };
}
