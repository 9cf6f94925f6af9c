// Turns that ask people, made by hand, and people who answer them.
import { expect } from "vitest";
import type { Decision } from "@/server/contract/asking";
import { KernelError } from "@/server/contract/errors";
import type { HumanRequest } from "@/server/contract/human-request";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import type { HumanRequestRow } from "@/server/kernel/inbox/human-request-row";
import type { Kernel } from "@/server/kernel/kernel";
import { callTool } from "@/server/kernel/tools/call-tool";
import { isFenced } from "@/server/kernel/turns/fenced";
import { suspendTurn } from "@/server/kernel/turns/suspend-turn";
import { callersOf, type Running } from "./callers";
import { callsOf } from "./calls";
import { framesOf } from "./turns";

export type Asleep = { turn: Running; tool_call_id: string; step_id: string; request: HumanRequestRow };

export function peopleOf(kernel: () => Kernel, project_id: string, profile: string) {
  const { running } = callersOf(kernel, project_id);
  const { call } = callsOf(kernel, project_id);
  const requestOf = async (tool_call_id: string): Promise<HumanRequestRow> => {
    const { rows } = await kernel().db.pool.query<HumanRequestRow>(
      "SELECT * FROM state.human_requests WHERE project_id = $1 AND tool_call_id = $2",
      [project_id, tool_call_id],
    );
    const [row] = rows;
    if (!row) throw new Error(`call ${tool_call_id} has asked nobody`);
    return row;
  };
  return {
    requestOf,
    /** A turn that has made the call and sleeps. */
    asked: async (tool_name = "ask_human", args: object = { question: "Which one?" }): Promise<Asleep> => {
      const turn = await running(profile);
      const { tool_call_id, step_id } = await call(turn, tool_name, args, "the_call");
      const slept = await suspendTurn(kernel(), { ...turn, tool_call_ids: [tool_call_id] });
      expect(slept).toMatchObject({ status: "suspended", waiting: [tool_call_id] });
      return { turn, tool_call_id, step_id, request: await requestOf(tool_call_id) };
    },
    /** The same call again, as the worker makes it that goes on. */
    callAgain: async (turn: Running, turn_epoch: number, step_id: string, tool_name: string, args: object) => {
      const again = { ...turn, turn_epoch, step_id, tool_name, arguments: args as never, client_call_id: "the_call" };
      const made = await callTool(kernel(), again);
      if (isFenced(made)) throw new Error("the call was fenced");
      return made;
    },
    decide: (request: Pick<HumanRequestRow, "request_id">, decision: Decision, by = "ann"): Promise<HumanRequest> =>
      decideRequest(kernel(), { project_id, request_id: request.request_id, by, decision }),
    framesOfRequest: async ({ request_id }: HumanRequestRow) =>
      (await framesOf(kernel(), project_id, "human_request")).filter((frame) => frame.id === request_id),
    /** As if it had been asked a minute ago, for a minute. */
    expireNow: (request_id: string) =>
      kernel().db.pool.query(
        `UPDATE state.human_requests SET created_at = now() - interval '61 s', deadline_at = now() - interval '1 s'
         WHERE project_id = $1 AND request_id = $2`,
        [project_id, request_id],
      ),
  };
}

export const answerWith = (answer: string): Decision => ({ action: "answer", answer });

/** The refusal of what must not succeed. */
export const faultOf = (work: Promise<unknown>): Promise<KernelError> =>
  work.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => {
      expect(error).toBeInstanceOf(KernelError);
      return error as KernelError;
    },
  );
