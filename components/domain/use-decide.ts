"use client";

// Deciding what an agent asks. Of two people one is quicker: the other one is shown what was said, and loses no word of theirs.
import { useMutation } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { announce } from "@/components/ui/announcements";
import type { Decision } from "@/server/contract/asking";
import type { HumanRequest, HumanRequestLine } from "@/server/contract/human-request";
import { useTRPC } from "../trpc/client";

export type Deciding = {
  decide: (decision: Decision) => void;
  isPending: boolean;
  /** What is wrong with what was sent, or that the server cannot be reached. */
  error: string | null;
  /** If someone else decided it in the meantime. */
  conflict: HumanRequest | null;
  decided: HumanRequest | undefined;
};

/** What deciding needs of a request; `turn` is told. */
export type Decidable = Pick<HumanRequestLine, "request_id"> & { turn: Pick<HumanRequestLine["turn"], "headcode"> };

export function useDecide(projectId: string, line: Decidable, touch: (isTouched: boolean) => void): Deciding {
  const trpc = useTRPC();
  const { request_id, turn } = line;
  const mutation = useMutation(
    trpc.inbox.decide.mutationOptions({
      onMutate: () => touch(true),
      onSuccess: (request) => {
        touch(false);
        announce({ title: doneWords(request, turn.headcode), status: doneStatus(request) });
      },
    }),
  );
  const conflict = conflictOf(mutation.error);
  return {
    decide: (decision) => {
      if (!mutation.isPending) mutation.mutate({ project_id: projectId, request_id, decision });
    },
    isPending: mutation.isPending,
    error: mutation.error === null || conflict !== null ? null : mutation.error.message,
    conflict,
    decided: mutation.data,
  };
}

function conflictOf(error: unknown): HumanRequest | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data = error.data as { error_code?: string; detail?: { request?: HumanRequest } } | undefined;
  return data?.error_code === "conflict" ? (data.detail?.request ?? null) : null;
}

function doneWords({ kind, status, is_edited }: HumanRequest, headcode: string): string {
  // The turn waits for the whole plan, and is not told of one step.
  if (kind === "plan_hold") return status === "approved" ? "The step starts" : "The step is skipped";
  const done =
    status === "approved"
      ? is_edited
        ? "Approved with changes"
        : "Approved"
      : status === "denied"
        ? "Denied"
        : "Answered";
  return `${done}, ${headcode} is told`;
}
const doneStatus = ({ status }: HumanRequest) => (status === "denied" ? ("canceled" as const) : ("success" as const));
