// What a process may do to an agent's head: each act with its verb and its effect on the model.
import { delegate } from "@/server/kernel/delegation/delegate";
import { claimInbox } from "@/server/kernel/inbox/claim-inbox";
import { reportResult } from "@/server/kernel/inbox/report-result";
import { insertWait } from "@/server/kernel/inbox/waits";
import type { Kernel } from "@/server/kernel/kernel";
import { letGo } from "@/server/kernel/reclaim/let-go";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { takeOver } from "@/server/kernel/reclaim/take-over";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";
import { lockTurn } from "@/server/kernel/turns/lock-turn";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { suspendTurn } from "@/server/kernel/turns/suspend-turn";
import { withUnit } from "@/server/kernel/unit";
import type { Running } from "./callers";
import {
  applied,
  finishTurn,
  type Head,
  type IsLive,
  isOver,
  type Key,
  lease,
  leased,
  openCalls,
  pick,
  requeued,
  sorted,
  type Turn,
  turnIn,
  type Wait,
} from "./head-model";
import { type Act, type Possible, subsetsOf } from "./machine";

export type World = {
  project_id: string;
  agent_id: string;
  bosses: Running[];
  ids: Map<string, string>;
  rounds: number;
};

export const idOf = ({ ids }: World, name: string): string => ids.get(name) ?? name;
const said = (answer: object | Fenced, word: string): string => (isFenced(answer) ? "fenced" : word);

export function enqueue(world: World, name: string, dice: number): Act<Head> {
  const { project_id, agent_id, bosses, ids } = world;
  return {
    name: `enqueue ${name}`,
    steps: [
      (state) => {
        state.turns[name] = { status: "queued", epoch: 0, attempt: 1, cards: 0, row: "queued" };
        return lease(state);
      },
    ],
    perform: async (kernel) => {
      const args = { target_strategy: "reuse", target_ref: agent_id, instruction: name };
      const answer = await delegate(kernel, { project_id, caller: pick(bosses, dice), tool: "delegate_async", args });
      if (isFenced(answer)) return "fenced";
      ids.set(name, answer.agent_turn_id);
      return "";
    },
  };
}

export function claim({ project_id }: World, isAlone: boolean): Act<Head> {
  const due = (state: Head): [Turn | Wait, string][] =>
    [...Object.entries(state.turns), ...Object.entries(state.calls)]
      .filter(([, one]) => one.row === "pending" || one.row === "deferred")
      .map(([name, one]) => [one, name]);
  const taken = (state: Head, names: string[]): Possible<Head> => {
    const next = structuredClone(state);
    for (const name of names) {
      const one = next.turns[name] ?? next.calls[name];
      if (one) one.row = "processing";
    }
    return { state: next, said: `${names.length}` };
  };
  return {
    name: "claim",
    steps: [
      (state) => {
        const names = due(state).map(([, name]) => name);
        // Rows that another process has locked are skipped.
        const subsets = isAlone ? [names] : subsetsOf(names);
        return subsets.map((some) => taken(state, some));
      },
    ],
    perform: async (kernel, worker_id) =>
      `${(await claimInbox(kernel, { worker_targets: [project_id], worker_id, limit: 16, project_id })).length}`,
  };
}

export function start(key: Key, name: string, isLive: IsLive): Act<Head> {
  let worker = "";
  return {
    name: `start ${name}@${key.turn_epoch}`,
    steps: [
      (state) => {
        const again = isLive(state, "running") && state.holder === worker;
        if (again) return [{ state, said: "started" }];
        return leased(
          (s) => isLive(s, "dispatched"),
          "started",
          (s) => {
            s.turns[name] = { ...turnIn(s, name), status: "running", row: "consumed" };
            return [{ state: { ...s, status: "running", holder: worker } }];
          },
        )(state);
      },
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      return said(await startTurn(kernel, { ...key, worker_id }), "started");
    },
  };
}

export function append(key: Key, name: string, isLive: IsLive): Act<Head> {
  const card = { type: "agent.thought", content: "so far", author_id: "agent" };
  return {
    name: `append ${name}@${key.turn_epoch}`,
    steps: [
      leased(
        (s) => isLive(s, "running"),
        "appended",
        (s) => {
          s.turns[name] = { ...turnIn(s, name), cards: turnIn(s, name).cards + 1 };
          return [{ state: s }];
        },
      ),
    ],
    perform: async (kernel) => said(await appendOutput(kernel, { ...key, cards: [card] }), "appended"),
  };
}

export function callTool({ ids, agent_id }: World, key: Key, name: string, isLive: IsLive, call: string): Act<Head> {
  const tool_call_id = `${key.project_id}_${call}`;
  ids.set(call, tool_call_id);
  return {
    name: `call ${call} of ${name}@${key.turn_epoch}`,
    steps: [
      leased(
        (s) => isLive(s, "running"),
        "called",
        (s) => {
          s.calls[call] = { turn: name, status: "waiting", row: "none" };
          return [{ state: sorted(s) }];
        },
      ),
    ],
    perform: (kernel) =>
      withUnit(kernel, async (unit) => {
        const row = await lockTurn(unit, { ...key, statuses: ["running"], what: "call" });
        if (isFenced(row)) return "fenced";
        await insertWait(unit, { ...key, agent_id, tool_call_id, tool_name: "ext", timeout_ms: 3_600_000 });
        return "called";
      }),
  };
}

export function suspend(key: Key, name: string, isLive: IsLive): Act<Head> {
  return {
    name: `suspend ${name}@${key.turn_epoch}`,
    steps: [
      (state) => {
        const known = Object.values(state.calls).some((wait) => wait.turn === name && wait.status !== "dropped");
        if (isLive(state, "running") && !known) return [{ state, said: "bad_request" }];
        return leased(
          (s) => isLive(s, "running"),
          "",
          (s) => {
            applied(s, name);
            if (openCalls(s, name).length === 0) return [{ state: s, said: "running" }];
            s.turns[name] = { ...turnIn(s, name), status: "suspended" };
            return [{ state: { ...s, status: "suspended", holder: null }, said: "suspended" }];
          },
        )(state);
      },
    ],
    perform: async (kernel) => {
      try {
        const answer = await suspendTurn(kernel, { ...key, tool_call_ids: [] });
        return isFenced(answer) ? "fenced" : answer.status;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "bad_request") return "bad_request";
        throw error;
      }
    },
  };
}

export function report(world: World, call: string): Act<Head> {
  return {
    name: `report ${call}`,
    steps: [
      (state) => {
        const wait = state.calls[call];
        if (wait?.status !== "waiting") return [{ state, said: "late" }];
        state.calls[call] = { ...wait, status: "received", row: "pending" };
        return [{ state, said: "received" }];
      },
    ],
    perform: async (kernel) => {
      const { project_id } = world;
      return (await reportResult(kernel, { project_id, tool_call_id: idOf(world, call), status: "success", result: 1 }))
        .status;
    },
  };
}

export function resume(world: World, before: Head, call: string): Act<Head> {
  let worker = "";
  let rowEpoch = 0;
  const name = before.calls[call]?.turn ?? "";
  return {
    name: `resume ${call}`,
    steps: [
      (state) => {
        const wait = state.calls[call];
        if (!wait) throw new Error(`the model has no call ${call}`);
        const isOurs = state.active === name;
        const ignored = (): Possible<Head>[] => {
          state.calls[call] = { ...wait, row: "consumed" };
          return [{ state, said: "ignored" }];
        };
        // The worker it woke asks again. A result read while suspending has woken none: its row has this same epoch.
        const isAgain = wait.row === "consumed" && rowEpoch + 1 === state.epoch;
        if (isOurs && state.status === "running" && isAgain && state.holder === worker)
          return [{ state, said: "running" }];
        if (wait.row === "consumed" || !isOurs) return ignored();
        if (state.status === "running") {
          state.calls[call] = { ...wait, row: "deferred" };
          return [{ state, said: "deferred" }];
        }
        if (state.status !== "suspended" || wait.status !== "received") return ignored();
        applied(state, name, call);
        if (openCalls(state, name).length > 0) return [{ state, said: "suspended" }];
        const epoch = state.epoch + 1;
        state.turns[name] = { ...turnIn(state, name), status: "running", epoch };
        return [{ state: { ...state, status: "running", epoch, holder: worker }, said: "running" }];
      },
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      const { project_id } = world;
      const { rows } = await kernel.db.pool.query<{ inbox_id: string; turn_epoch: number }>(
        "SELECT inbox_id, turn_epoch FROM state.agent_inbox WHERE project_id = $1 AND correlation_id = $2 AND status <> 'skipped'",
        [project_id, idOf(world, call)],
      );
      rowEpoch = rows[0]?.turn_epoch ?? 0;
      const agent_turn_id = idOf(world, name);
      const answer = await resumeTurn(kernel, {
        project_id,
        agent_turn_id,
        inbox_id: rows[0]?.inbox_id ?? "",
        worker_id,
      });
      return answer?.status ?? "none";
    },
  };
}

export function deliver(key: Key, name: string, isLive: IsLive): Act<Head> {
  return {
    name: `deliver ${name}@${key.turn_epoch}`,
    steps: [
      leased(
        (s) => isLive(s, "running"),
        "delivered",
        (s) => finishTurn(s, name, "success", 0),
      ),
    ],
    perform: async (kernel) =>
      said(
        await deliverTurn(kernel, { ...key, status: "success", content: { kind: "text", text: "done" } }),
        "delivered",
      ),
  };
}

export function stop(world: World, name: string): Act<Head> {
  return {
    name: `stop ${name}`,
    steps: [
      (state) =>
        isOver(turnIn(state, name))
          ? [{ state, said: "0" }]
          : finishTurn(state, name, "canceled", 1).map((next) => ({ ...next, said: "1" })),
    ],
    perform: async (kernel) => {
      const { project_id } = world;
      const { stopped } = await stopTurn(kernel, {
        project_id,
        agent_turn_id: idOf(world, name),
        scope: "turn",
        by: "ann",
      });
      return `${stopped.length}`;
    },
  };
}

/** Its worker falls silent. A watchdog notices, or comes too late because another process has moved it. */
export function reap({ project_id, agent_id }: World): Act<Head> {
  return {
    name: "reap",
    steps: [
      (state) => {
        const untouched: Possible<Head> = { state: structuredClone(state) };
        if (state.status !== "running" || state.active === null) return [untouched];
        const turn = turnIn(state, state.active);
        const taken =
          turn.attempt >= 3 ? finishTurn(state, state.active, "failed", 1) : requeued(state, state.active, 1);
        return taken.concat(untouched);
      },
    ],
    perform: async (kernel: Kernel) => {
      await kernel.db.pool.query(
        `UPDATE state.due d SET heartbeat_at = now() - interval '2 hours' FROM state.agent_turns t WHERE d.project_id = $1 AND t.project_id = $1
           AND t.agent_turn_id = d.agent_turn_id AND t.agent_id = $2 AND d.heartbeat_at IS NOT NULL`,
        [project_id, agent_id],
      );
      await takeOver(kernel);
      return "";
    },
  };
}

export function handOn(key: Key, name: string, isLive: IsLive): Act<Head> {
  let worker = "";
  return {
    name: `let go ${name}@${key.turn_epoch}`,
    steps: [
      (state) =>
        isLive(state, "running") && state.holder === worker
          ? requeued(state, name, 0).map((next) => ({ ...next, said: "true" }))
          : [{ state, said: "false" }],
    ],
    perform: async (kernel, worker_id) => {
      worker = worker_id;
      return `${await letGo(kernel, { ...key, worker_id })}`;
    },
  };
}
