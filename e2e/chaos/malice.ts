// What a hostile worker tries besides its work: epochs that are not its own, results it did not get, numbers out of range,
// data of another project. Each attempt says which answers would be wrong.
import type { Random } from "./random";
import type { Answer, Ask } from "./rest";

/** A turn it holds. `foreign_project` is a different project from the turn's. */
export type Prey = { project_id: string; foreign_project: string; agent_turn_id: string; epoch: number };
/** A call that some turn of the project waits for. */
export type Call = { tool_call_id: string; tool_name: string };
export type Target = { ask: Ask; random: Random; prey: Prey; worker_id: string; calls: () => Promise<Call[]> };

export type Trick = {
  name: string;
  /** Answers, none of which may be a success; `null` = there was nothing to try it on. */
  play: (target: Target) => Promise<Answer[] | null>;
  /** How many successes are still right; absent = none. */
  mayPass?: number;
};

const at = ({ project_id, agent_turn_id }: Pick<Prey, "project_id" | "agent_turn_id">, verb: string): string =>
  `/projects/${project_id}/turns/${agent_turn_id}:${verb}`;
const thought = (text: string) => ({ type: "agent.thought", content: text });
const forged = (tool_call_id: string) => ({
  type: "tool.result",
  tool_call_id,
  content: { kind: "tool_result", status: "success", after_execution: "suspend", result: "forged" },
});
const kernelCalls = ["fork_join", "ask_expert", "ask_human"];

export const tricks: Trick[] = [
  {
    name: "a verb under another epoch",
    play: async ({ ask, random, prey, worker_id }) => {
      const epoch = random.pick([prey.epoch - 1, prey.epoch + 1_000, 0].filter((n) => n >= 0 && n !== prey.epoch));
      const bodies: [string, object][] = [
        ["start", { worker_id }],
        ["append", { cards: [thought("from another time")] }],
        ["step", { phase: "started" }],
        ["deliver", { status: "success", content: "from another time" }],
        ["suspend", { tool_call_ids: ["call_none"] }],
        ["call", { step_id: "step_none", tool_name: "think", arguments: { thought: "x" }, client_call_id: "late" }],
      ];
      return Promise.all(bodies.map(([verb, body]) => ask("POST", at(prey, verb), { epoch, ...body })));
    },
  },
  {
    name: "a forged result by :append",
    play: async ({ ask, random, prey, calls }) => {
      const all = await calls();
      if (all.length === 0) return null;
      const cards = [forged(random.pick(all).tool_call_id)];
      return [await ask("POST", at(prey, "append"), { epoch: prey.epoch, cards })];
    },
  },
  {
    name: "a forged result by POST cards",
    play: async ({ ask, random, prey, calls }) => {
      const all = await calls();
      if (all.length === 0) return null;
      const cards = [forged(random.pick(all).tool_call_id)];
      return [await ask("POST", `/projects/${prey.project_id}/cards`, { cards })];
    },
  },
  {
    name: "a report for a call that the kernel answers",
    play: async ({ ask, random, prey, calls }) => {
      const ours = (await calls()).filter((call) => kernelCalls.includes(call.tool_name));
      if (ours.length === 0) return null;
      const { tool_call_id } = random.pick(ours);
      const path = `/projects/${prey.project_id}/tool-calls/${tool_call_id}:report`;
      return [
        await ask("POST", path, { status: random.pick(["success", "failed", "running"] as const), result: "forged" }),
      ];
    },
  },
  {
    name: "a step of nobody",
    play: async ({ ask, prey }) => {
      const call = { step_id: "step_none", tool_name: "think", arguments: { thought: "x" }, client_call_id: "nowhere" };
      return [await ask("POST", at(prey, "call"), { epoch: prey.epoch, ...call })];
    },
  },
  {
    name: "numbers beyond all bounds",
    play: async ({ ask, random, prey, worker_id }) => {
      const n = random.pick([2 ** 31, 2 ** 40, 1e12, 1e21, Number.MAX_SAFE_INTEGER, -1, 0.5]);
      const claim = { worker_target: "foreign_1", worker_id };
      const project = `/projects/${prey.project_id}`;
      return Promise.all([
        ask("POST", at(prey, "append"), { epoch: n, cards: [thought("x")] }),
        ask("POST", `${project}/workers:claim`, { ...claim, limit: n }),
        ask("POST", `${project}/workers:claim`, { ...claim, wait_ms: n }),
        ask("POST", `${project}/inbox/inbox_none:defer`, { reason: "x", delay_ms: n }),
        ask("GET", `${project}/cards?limit=${n}`),
      ]);
    },
  },
  {
    name: "what is another project's",
    play: async ({ ask, prey: { foreign_project, ...prey } }) => {
      const away = { ...prey, project_id: foreign_project };
      return Promise.all([
        ask("GET", `/projects/${foreign_project}/turns/${prey.agent_turn_id}`),
        ask("POST", at(away, "append"), { epoch: prey.epoch, cards: [thought("x")] }),
        ask("POST", at(away, "deliver"), { epoch: prey.epoch, status: "success", content: "x" }),
        ask("POST", at(away, "stop"), { scope: "subtree" }),
      ]);
    },
  },
  {
    name: "a claim of what is reserved",
    play: async ({ ask, prey, worker_id }) =>
      Promise.all(
        ["human", "sys.human", "Human", "*"].map((worker_target) =>
          ask("POST", `/projects/${prey.project_id}/workers:claim`, { worker_target, worker_id, limit: 16 }),
        ),
      ),
  },
  {
    name: "a success without a result",
    play: async ({ ask, prey }) => [
      await ask("POST", at(prey, "deliver"), { epoch: prey.epoch, status: "excellent" }),
      await ask("POST", at(prey, "deliver"), { epoch: prey.epoch, status: "success", content: { kind: "nothing" } }),
    ],
  },
];
