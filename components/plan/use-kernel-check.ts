"use client";

// What the project lacks for a plan as it is typed: the kernel's own check, asked when typing rests. One request at a time: a
// newer plan ends the older one's. The last answer stays until the next.
import { useEffect, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { isKernelCode } from "@/server/contract/plan/kernel-check";
import type { CheckedText, TextProblem } from "./check-text";

export type KernelChecked = {
  /** Null before the first answer. */
  problems: TextProblem[] | null;
  /** They are of an earlier text. */
  isOld: boolean;
  failure: string | null;
};

export function useKernelCheck(projectId: string, checked: CheckedText | null): KernelChecked {
  const client = useTRPCClient();
  const [last, setLast] = useState<{ of: CheckedText; problems: TextProblem[] } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (checked?.plan == null) return;
    const { lineOf, plan } = checked;
    const { signal, abort } = ending();
    client.plan.check.mutate({ project_id: projectId, body: plan }, { signal }).then(
      ({ problems }) => {
        if (signal.aborted) return;
        setFailure(null);
        const found = problems.filter(({ code }) => isKernelCode(code));
        setLast({
          of: checked,
          problems: found.map(({ path, severity, message }) => ({ line: lineOf(path), severity, message })),
        });
      },
      (error: unknown) => {
        if (!signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
      },
    );
    return abort;
  }, [checked, client, projectId]);
  return { problems: last?.problems ?? null, isOld: last === null || last.of !== checked, failure };
}

function ending(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
