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

export function useLaunchAction(projectId: string, onLaunched: (result: LaunchResult) => void): LaunchAction {
  const client = useTRPCClient();
  const attempt = useRef<{ action_id: string; call: LaunchCall | null }>({ action_id: newActionId(), call: null });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (call: LaunchCall) => {
      if (attempt.current.call !== null && attempt.current.call !== call)
        attempt.current = { action_id: newActionId(), call };
      attempt.current.call = call;
      const { action_id } = attempt.current;
      return client.delegation.launch.mutate({ project_id: projectId, ...call, action_id });
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

const newActionId = () => crypto.randomUUID();
