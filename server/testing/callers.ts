// Turns for tests, made the way the product makes them: launched, claimed by name, started, delivered.
import { expect } from "vitest";
import type { DelegateResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { CallerRef } from "@/server/kernel/delegation/caller";
import { delegate } from "@/server/kernel/delegation/delegate";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { countRows } from "./kernel";

export type Running = CallerRef & { project_id: string; turn: TurnRow };

export function callersOf(kernel: () => Kernel, project_id: string) {
  const run = async (
    agent_id: string,
    agent_turn_id: string,
    turn_epoch: number,
    worker_id = "w",
  ): Promise<Running> => {
    const started = await startTurn(kernel(), { project_id, agent_turn_id, turn_epoch, worker_id });
    if (isFenced(started)) throw new Error("the turn could not be started");
    return { project_id, agent_id, agent_turn_id, turn_epoch, step_id: "step_parent", turn: started.turn };
  };
  const launched = async (profile: string): Promise<DelegateResult & { root: string }> => {
    const args = { target_strategy: "new", target_ref: profile, instruction: "begin" };
    const answer = await launch(kernel(), { project_id, tool: "delegate_async", user: "ann", args });
    if (!("agent_turn_id" in answer.result)) throw new Error("a delegation was launched");
    return { ...answer.result, root: answer.root_turn_id };
  };
  const call = (caller: CallerRef, args: unknown) =>
    delegate(kernel(), { project_id, caller, tool: "delegate_async", args });
  return {
    run,
    launched,
    call,
    /** A turn of `profile` that runs. */
    running: async (profile: string) => {
      const child = await launched(profile);
      return run(child.agent_id, child.agent_turn_id, child.turn_epoch ?? 0);
    },
    accepted: async (caller: CallerRef, args: unknown): Promise<DelegateResult> => {
      const answer = await call(caller, args);
      if (isFenced(answer)) throw new Error("the caller was fenced");
      return answer;
    },
    deliver: (caller: Running, text: string) =>
      deliverTurn(kernel(), { ...caller, status: "success", content: { kind: "text", text } }),
    /** The refusal, after making sure that it left nothing behind (K10). */
    refused: async (work: () => Promise<unknown>): Promise<KernelError> => {
      const before = await countRows(kernel());
      const error = await work().then(
        () => undefined,
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(KernelError);
      expect(await countRows(kernel())).toEqual(before);
      return error as KernelError;
    },
  };
}

export const toNew = (target_ref: string, rest: object = {}) => ({
  target_strategy: "new",
  target_ref,
  instruction: "do work",
  ...rest,
});
