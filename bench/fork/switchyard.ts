// Switchyard's kernel doing the same: a running turn forks N children, is suspended, and runs again with their results.
// A worker of no-ops claims, starts and ends them by the kernel's verbs; agents, boxes, cards, edges and journal are
// written as for any turn. The parents are launched once and fork again and again.
import { fork } from "@/server/kernel/batch/fork";
import { appendToBox } from "@/server/kernel/cardbox/append-to-box";
import { insertCardsFor } from "@/server/kernel/cardbox/insert-cards";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { tunables } from "@/server/kernel/tunables";
import { isFenced } from "@/server/kernel/turns/fenced";
import { startTurn } from "@/server/kernel/turns/start-turn";
import { withUnit } from "@/server/kernel/unit";
import { migrate } from "@/server/migrate";
import { wireKernel } from "@/server/wire";
import { watch } from "@/server/worker/watchdog";
import type { Contender, OpenContender } from "./contender";
import { CHILD, held, PARENT, startNoopWorker } from "./noop-worker";

export const project_id = "bench";
const worker_id = "bench-worker";

export type Parent = { agent_id: string; agent_turn_id: string; turn_epoch: number };

export type Setting = {
  /** Each child inherits so many: all of what its parent has written. */
  cards?: number;
  /** Turns that are claimed, begun and ended together, instead of what a worker may take at most. */
  group?: number;
};

export const openSwitchyard: OpenContender = (url) => openWith(url, {});

export const switchyardWith =
  (setting: Setting): OpenContender =>
  (url) =>
    openWith(url, setting);

async function openWith(url: string, { cards = 0, group = tunables.claimLimit }: Setting): Promise<Contender> {
  await migrate(url);
  const kernel = wireKernel({ url, name: "switchyard-bench", tunables: { ...tunables, claimLimit: group } });
  await seedProfiles(kernel);
  const worker = await startNoopWorker(kernel, worker_id);
  // As every worker does.
  const isOver = new AbortController();
  const watching = watch(kernel, isOver.signal);
  const idle: (Parent & { context_box_id?: string })[] = [];
  return {
    fork: async (n) => {
      const parent = idle.pop() ?? (await launchOf(kernel, cards));
      const joined = worker.untilResumed(parent.agent_turn_id);
      const slept = await forkAndSleep(worker.kernel, parent, n, parent.context_box_id);
      // All branches may have ended before it was suspended: then it has already read the result.
      const turn_epoch = slept === "running" ? parent.turn_epoch : await joined;
      idle.push({ ...parent, turn_epoch });
    },
    close: async () => {
      isOver.abort();
      await Promise.all([worker.stop(), watching]);
      await kernel.close();
    },
  };
}

async function launchOf(kernel: Kernel, cards: number): Promise<Parent & { context_box_id?: string }> {
  const parent = await launchParent(kernel);
  if (cards === 0) return parent;
  const { rows } = await kernel.db.pool.query<{ output_box_id: string }>(
    "SELECT output_box_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    [project_id, parent.agent_turn_id],
  );
  const context_box_id = rows[0]?.output_box_id;
  if (context_box_id === undefined) throw new Error("a turn runs and has no output box");
  await withUnit(kernel, async (unit) => {
    const drafts = Array.from({ length: cards }, (_, i) => ({
      type: "agent.thought",
      content: `A line of context, number ${i}.`,
      author_id: parent.agent_id,
    }));
    const { cards: written, born } = await insertCardsFor(unit, {
      project_id,
      cards: drafts,
      born_box: context_box_id,
    });
    const items = written.map((card) => ({ ...card, origin: "given" }));
    await appendToBox(unit, { project_id, box_id: context_box_id, items, born });
  });
  return { ...parent, context_box_id };
}

export async function seedProfiles(kernel: Kernel): Promise<void> {
  await createProject(kernel, { project_id, title: "bench" });
  await withUnit(kernel, async (unit) => {
    for (const body of [
      {
        name: "Parent",
        llm_config: { provider: "none" },
        worker_target: PARENT,
        delegation_policy: { target_tags: [], target_profiles: ["Child"] },
      },
      { name: "Child", llm_config: { provider: "none" }, worker_target: CHILD },
    ])
      await saveProfile(unit, { project_id, profile: parseProfile(body), author_id: "bench" });
  });
}

export async function launchParent(kernel: Kernel): Promise<Parent> {
  const args = { target_strategy: "new", target_ref: "Parent", instruction: "fork" };
  const { result } = await launch(kernel, { project_id, tool: "delegate_async", user: "bench", args });
  if (!("agent_turn_id" in result)) throw new Error("a parent was launched and no turn came back");
  const { agent_id, agent_turn_id, turn_epoch } = result;
  const parent = { agent_id, agent_turn_id, turn_epoch: turn_epoch ?? 0 };
  // The worker may already have taken it a moment ago: then asking again shows that it is this worker's own.
  const input = { project_id, ...parent, worker_id };
  const started = await startTurn(kernel, input);
  held(isFenced(started) ? await startTurn(kernel, input) : started);
  return parent;
}

/** Running: all branches had ended before it was suspended, and it has read their result. */
export async function forkAndSleep(
  kernel: Kernel,
  { agent_id, agent_turn_id, turn_epoch }: Parent,
  n: number,
  context_box_id?: string,
): Promise<"running" | "suspended"> {
  const tool_call_id = kernel.newId("tc_");
  const tasks = Array.from({ length: n }, (_, i) => ({
    target_strategy: "new",
    target_ref: "Child",
    instruction: `task ${i}`,
    context_box_id,
  }));
  const caller = { agent_id, agent_turn_id, turn_epoch, tool_call_id };
  const { slept } = held(await fork(kernel, { project_id, caller, tool: "fork_join", args: { tasks }, sleep: {} }));
  if (!slept) throw new Error("a fork was to suspend its caller and says nothing of it");
  return slept.status;
}
