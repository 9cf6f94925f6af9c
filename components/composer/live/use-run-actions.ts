"use client";

// What a person does with a run that is watched: its changes are sent, its steps let pass, skipped or tried again, the run stopped,
// or another one made of it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import type { RunDrawing } from "@/server/contract/plan/run-drawing";
import type { DrawingStore } from "../draft/drawing-store";
import { opsOf } from "./use-run-store";

export type RunActionsInput = {
  projectId: string;
  watched: RunDrawing | null;
  store: DrawingStore | null;
  onForked: (rootTurnId: string) => void;
};

/** Nothing can be done without a run. */
export function useRunActions({ projectId, watched, store, onForked }: RunActionsInput) {
  const trpc = useTRPC();
  const key = { project_id: projectId, plan_run_id: watched?.run.plan_run_id ?? "" };
  const queryClient = useQueryClient();
  const read = () => queryClient.invalidateQueries({ queryKey: trpc.plan_run.drawing.queryKey() });
  const told = (title: string) => ({ onSuccess: () => announce({ title, status: "success" }) });
  const send = useMutation(
    trpc.plan_run.edit.mutationOptions({
      // Nothing is changed meanwhile: the body that comes back has what was sent in it.
      onMutate: () => store?.lock("The changes are being sent."),
      onSuccess: async () => {
        announce({ title: "Sent. The run goes on with it", status: "success" });
        await read();
        store?.replace(store.get().plan);
      },
      onError: read,
      onSettled: () => store?.lock(null),
    }),
  );
  const release = useMutation(trpc.plan_run.release.mutationOptions(told("The step starts")));
  const skip = useMutation(trpc.plan_run.skip.mutationOptions(told("The step is skipped")));
  const retry = useMutation(trpc.plan_run.retry.mutationOptions(told("It is tried again")));
  const stop = useMutation(trpc.plan_run.stop.mutationOptions(told("The run is stopped")));
  const stopTurn = useMutation(trpc.turn.stop.mutationOptions(told("The turn is stopped")));
  const fork = useMutation(
    trpc.plan_run.fork.mutationOptions({
      onSuccess: ({ root_turn_id }) => {
        announce({ title: "Launched as a fork", status: "success" });
        attempt.current = { action_id: crypto.randomUUID(), sent: "" };
        onForked(root_turn_id);
      },
    }),
  );
  // The same fork sent twice is one launch; changed, it is another.
  const attempt = useRef({ action_id: crypto.randomUUID(), sent: "" });
  const all = [send, release, skip, retry, stop, stopTurn, fork];
  return {
    isPending: all.some(({ isPending }) => isPending),
    /** Of what was tried last. */
    failure: all.toSorted((a, b) => b.submittedAt - a.submittedAt)[0]?.error?.message ?? null,
    send: () => {
      const ops = store ? opsOf(store.get()) : [];
      if (ops.length === 0 || !watched || send.isPending) return;
      send.mutate({ ...key, body_rev: watched.run.body_rev, ops, reason: "" });
    },
    release: (place: string) => release.mutate({ ...key, node: nodeIdOf(place) }),
    skip: (place: string) => skip.mutate({ ...key, node: nodeIdOf(place) }),
    retry: (place: string) => retry.mutate({ ...key, node: nodeIdOf(place) }),
    stop: () => stop.mutate(key),
    stopTurn: (agent_turn_id: string) =>
      stopTurn.mutate({ project_id: projectId, agent_turn_id, scope: "subtree", reason: undefined }),
    fork: (force: readonly string[]) => {
      const ops = store ? opsOf(store.get()) : [];
      const sent = JSON.stringify({ ops, force });
      if (attempt.current.sent !== "" && attempt.current.sent !== sent)
        attempt.current = { action_id: crypto.randomUUID(), sent };
      attempt.current.sent = sent;
      fork.mutate({ ...key, ops, force: [...force], action_id: attempt.current.action_id });
    },
  };
}
