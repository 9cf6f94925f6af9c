"use client";

// Another attempt of a branch that did not succeed, by button and by key.
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { withHeir } from "@/components/ui/focus-heir";
import { useShortcut } from "@/components/ui/shortcuts";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import { nameOf } from "./outcomes";
import { retryWords } from "./retry-words";

export function RetryBranch({ projectId, sheet, branch }: { projectId: string; sheet: BatchSheet; branch: Branch }) {
  const trpc = useTRPC();
  const name = nameOf(branch);
  const retry = useMutation(
    trpc.batch.retry.mutationOptions({
      onSuccess: () =>
        announce({
          title: `${name} is tried again`,
          detail: `Task ${branch.task_index + 1} has a new turn; the output of ${name} is kept.`,
          status: "running",
        }),
      onError: (error) => announce({ title: `${name} was not tried again`, detail: error.message, status: "failed" }),
    }),
  );
  const press = () => {
    if (retry.isPending) return;
    retry.mutate({ project_id: projectId, batch_id: sheet.batch_id, task_index: branch.task_index });
  };
  useShortcut("r", "Retry the failed task", press, { group: "Batch" });
  const { what, how } = retryWords(sheet, branch, 0);
  return (
    <Button
      ref={withHeir}
      icon="retry"
      keys="r"
      aria-disabled={retry.isPending}
      title={`${what} ${how}`}
      onClick={press}
    >
      Retry {name}
    </Button>
  );
}
