"use client";

// Sends the launch. One opening of the composer is one action_id, so that a double click is one launch and a retry after
// a lost answer finds the launch it made. Changed after a try, it is another launch and gets another id.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import type { LaunchResult } from "@/server/contract/delegation";
import type { LaunchArgs } from "./use-preview";

export type LaunchAction = {
  send: (args: LaunchArgs) => void;
  isSending: boolean;
  error: string | null;
  /** Forgets the error once the form has changed. */
  forget: () => void;
};

export function useLaunchAction(projectId: string, onLaunched: (result: LaunchResult) => void): LaunchAction {
  const client = useTRPCClient();
  const attempt = useRef<{ action_id: string; args: LaunchArgs | null }>({ action_id: newActionId(), args: null });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (args: LaunchArgs) => {
      if (attempt.current.args !== null && attempt.current.args !== args)
        attempt.current = { action_id: newActionId(), args };
      attempt.current.args = args;
      const { action_id } = attempt.current;
      return client.delegation.launch.mutate({ project_id: projectId, tool: "delegate_async", args, action_id });
    },
    retry: false,
    onSuccess: onLaunched,
  });
  return {
    send: (args) => {
      if (!isPending) mutate(args);
    },
    isSending: isPending,
    error: error === null ? null : error.message,
    forget: reset,
  };
}

const newActionId = () => crypto.randomUUID();
