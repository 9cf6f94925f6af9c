// Switchyard's kernel doing the same: a running turn forks N children, is suspended, and runs again with their results.
// A worker of no-ops claims, starts and ends them by the kernel's verbs; agents, boxes, cards, edges and journal are
// written as for any turn. The parents are launched once and fork again and again.
import { fork } from "@/server/kernel/batch/fork";
import { type ClaimedRow, claimInbox } from "@/server/kernel/inbox/claim-inbox";
import { launch } from "@/server/kernel/launch/launch";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { suspendTurn } from "@/server/kernel/turns/suspend-turn";
import { withUnit } from "@/server/kernel/unit";
import { migrate } from "@/server/migrate";
import { type Wired, wireKernel } from "@/server/wire";
import { createBell } from "@/server/worker/bell";
import type { OpenContender } from "./contender";

const project_id = "bench";
const worker_id = "bench-worker";
const PARENT = "bench_parent";
const CHILD = "bench_child";

type Parent = { agent_id: string; agent_turn_id: string; turn_epoch: number };

export const openSwitchyard: OpenContender = async (url) => {
  await migrate(url);
  const kernel = wireKernel({ url, name: "switchyard-bench" });
  await createProject(kernel, { project_id, title: "bench" });
  await withUnit(kernel, async (unit) => {
    for (const body of [
      { name: "Parent", worker_target: PARENT, delegation_policy: { target_tags: [], target_profiles: ["Child"] } },
      { name: "Child", worker_target: CHILD },
    ])
      await saveProfile(unit, { project_id, profile: parseProfile(body), author_id: "bench" });
  });
  const worker = await startNoopWorker(kernel);
  const idle: Parent[] = [];
  return {
    fork: async (n) => {
      const parent = idle.pop() ?? (await launchParent(kernel));
      const joined = worker.untilResumed(parent.agent_turn_id);
      const tool_call_id = kernel.newId("tc_");
      const tasks = Array.from({ length: n }, (_, i) => ({
        target_strategy: "new",
        target_ref: "Child",
        instruction: `task ${i}`,
      }));
      const caller = { ...parent, tool_call_id };
      held(await fork(kernel, { project_id, caller, tool: "fork_join", args: { tasks } }));
      const slept = held(
        await suspendTurn(kernel, { project_id, ...parent, tool_call_ids: [tool_call_id], worker_id }),
      );
      // All branches may have ended before it could go to sleep: then it has read the result already.
      const turn_epoch = slept.status === "running" ? parent.turn_epoch : await joined;
      idle.push({ ...parent, turn_epoch });
    },
    close: async () => {
      await worker.stop();
      await kernel.close();
    },
  };
};

async function launchParent(kernel: Wired): Promise<Parent> {
  const args = { target_strategy: "new", target_ref: "Parent", instruction: "fork" };
  const { result } = await launch(kernel, { project_id, tool: "delegate_async", user: "bench", args });
  if (!("agent_turn_id" in result)) throw new Error("a parent was launched and no turn came back");
  const { agent_id, agent_turn_id, turn_epoch } = result;
  const parent = { agent_id, agent_turn_id, turn_epoch: turn_epoch ?? 0 };
  held(await startTurn(kernel, { project_id, ...parent, worker_id }));
  return parent;
}

type NoopWorker = { untilResumed: (agent_turn_id: string) => Promise<number>; stop: () => Promise<void> };

async function startNoopWorker(kernel: Wired): Promise<NoopWorker> {
  const bell = createBell();
  const resumed = new Map<string, (turn_epoch: number) => void>();
  let isStopping = false;
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (ring.kind === "wakeup") bell.ring();
  });
  const resume = async ({ agent_turn_id, inbox_id }: ClaimedRow): Promise<void> => {
    const result = await resumeTurn(kernel, { project_id, agent_turn_id, inbox_id, worker_id });
    if (result?.status === "running") resumed.get(agent_turn_id)?.(result.turn_epoch);
  };
  const loop = (async () => {
    while (!isStopping) {
      bell.reset();
      const limit = kernel.tunables.claimLimit;
      const rows = await claimInbox(kernel, { worker_targets: [CHILD, PARENT], worker_id, limit });
      if (rows.length === 0) {
        await bell.wait(kernel.tunables.pollMs);
        continue;
      }
      const children = rows.filter((row) => row.worker_target === CHILD && row.message_type === "turn");
      await Promise.all(rows.filter((row) => row.message_type === "tool_result").map(resume));
      await doNothing(kernel, children);
    }
  })();
  return {
    untilResumed: (agent_turn_id) => new Promise((resolve) => resumed.set(agent_turn_id, resolve)),
    stop: async () => {
      isStopping = true;
      bell.ring();
      await loop;
      await unlisten();
    },
  };
}

async function doNothing(kernel: Wired, rows: ClaimedRow[]): Promise<void> {
  await Promise.all(
    rows.map(async (row) => {
      held(await startTurn(kernel, { ...row, worker_id }));
      held(
        await deliverTurn(kernel, { ...row, status: "success", content: { kind: "text", text: "done" }, worker_id }),
      );
    }),
  );
}

function held<T extends object>(answer: T | Fenced): Exclude<T, Fenced> {
  if (isFenced(answer)) throw new Error("a lease was lost on a bench where nobody takes one");
  return answer as Exclude<T, Fenced>;
}
