// Plays a worker in another language over REST. Each test has its own project, so that no test claims another's rows.
import type { Kernel } from "@/server/kernel/kernel";
import { seedProject } from "./kernel";
import { restOf } from "./rest";
import { launchTurn, scripted } from "./turns";

/** A turn that was claimed. */
export type Held = { id: string; epoch: number; agent_id: string; inbox_id: string };

let count = 0;

export function foreignWorker(kernel: () => Kernel) {
  const rest = restOf(kernel);
  const { ok } = rest;
  const own = { project: "", target: "" };
  const at = (path: string) => `/projects/${own.project}${path}`;
  const path = (turn: Pick<Held, "id">, verb: string) => at(`/turns/${turn.id}:${verb}`);
  const act = (turn: Pick<Held, "id" | "epoch">, verb: string, body: object = {}) =>
    ok("POST", path(turn, verb), { epoch: turn.epoch, ...body });
  const claim = async (more: object = {}) =>
    (await ok("POST", at("/workers:claim"), { worker_target: own.target, worker_id: "py-1", ...more })).items;
  const claimed = async (): Promise<Held> => {
    const [{ inbox, turn, epoch }] = await claim();
    return { id: turn.agent_turn_id, epoch, agent_id: turn.agent_id, inbox_id: inbox.inbox_id };
  };
  return {
    ...rest,
    own,
    at,
    path,
    act,
    claim,
    claimed,
    /** Call before each test: a fresh project with its own worker target. */
    settle: async () => {
      own.project = `w${++count}`;
      own.target = `target_${count}`;
      await seedProject(kernel(), own.project, [
        {
          name: "Boss",
          worker_target: own.target,
          allowed_tools: ["fork_join", "ask_expert", "delegate_async", "web_search", "slow"],
          allowed_internal_tools: ["submit_result"],
        },
        { name: "Helper", worker_target: own.target },
        scripted("Scripted", [{ deliver: "done" }]),
      ]);
      await ok("POST", at("/tools"), { tool_name: "web_search", description: "looks things up" });
      await ok("POST", at("/tools"), { tool_name: "slow" });
    },
    /** A turn of `profile` that this worker has started. */
    started: async (profile: string): Promise<Held> => {
      await launchTurn(kernel(), own.project, { target: profile });
      const turn = await claimed();
      await act(turn, "start", { worker_id: "py-1" });
      return turn;
    },
    step: async (turn: Held): Promise<string> => (await act(turn, "step", { phase: "started" })).step_id,
  };
}

/** A call of fork_join: one Helper for each instruction. */
export const forkOf = (instructions: string[]) => ({
  tool_name: "fork_join",
  arguments: {
    tasks: instructions.map((instruction) => ({ target_strategy: "new", target_ref: "Helper", instruction })),
  },
});
