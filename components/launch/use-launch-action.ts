"use client";

// Sends the launch. One opening of the launch dialog is one action_id, so that a double click is one launch and a retry after
// a lost answer finds the launch it made. Changed after a try, it is another launch and gets another id.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import type { LaunchResult } from "@/server/contract/delegation";
import type { LaunchCall } from "./launch-form";

export type LaunchAction = {
  send: (call: LaunchCall) => void;
  isSending: boolean;
  error: string | null;
  /** Forgets the error once the form has changed. */
  forget: () => void;
};

/** `into`: the root turn of the run that it is added to; null = a run of its own. */
export function useLaunchAction(
  projectId: string,
  into: string | null,
  onLaunched: (result: LaunchResult) => void,
): LaunchAction {
  const client = useTRPCClient();
  const attempt = useRef<Attempt>({ action_id: newActionId(), call: null, into });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (call: LaunchCall) => {
      const { call: sent, into: where } = attempt.current;
      if (sent !== null && (sent !== call || where !== into))
        attempt.current = { action_id: newActionId(), call, into };
      attempt.current = { ...attempt.current, call, into };
      const { action_id } = attempt.current;
      return client.delegation.launch.mutate({
        project_id: projectId,
        ...call,
        ...(into !== null && { into }),
        action_id,
      });
    },
    retry: false,
    onSuccess: onLaunched,
  });
  return {
    send: (call) => {
      if (!isPending) mutate(call);
    },
    isSending: isPending,
    error: error === null ? null : error.message,
    forget: reset,
  };
}

type Attempt = { action_id: string; call: LaunchCall | null; into: string | null };

const newActionId = () => crypto.randomUUID();
