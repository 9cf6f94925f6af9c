// What people and tool services do meanwhile: launch, edit, stop, report.
import { setTimeout as sleep } from "node:timers/promises";
import { KernelError } from "@/server/contract/errors";
import { retryBranch } from "@/server/kernel/batch/retry-branch";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { reportResult } from "@/server/kernel/inbox/report-result";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { createProject } from "@/server/kernel/roster/create-project";
import { parseProfile } from "@/server/kernel/roster/parse-profile";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { withUnit } from "@/server/kernel/unit";
import { again, throughAnyDoor } from "./door";
import { editOne } from "./edits";
import { drawPlan, planProfiles } from "./plans";
import type { Random } from "./random";
import { type ChaosProfile, growTree, policyOf, type Tree, tools, villainProfiles } from "./trees";
import { type Deeds, HINDERED, noDeeds, startVillains } from "./villains";

const projects = ["chaos_a", "chaos_b"];

/** What was confirmed as done, and so must be there at the end. */
export type Promised = {
  launches: { project_id: string; root_turn_id: string }[];
  reports: { project_id: string; card_id: string }[];
  /** Of runs of plans; each has a reason of its own. */
  edits: { project_id: string; plan_run_id: string; reason: string }[];
};
export type Said = {
  launches: number;
  plans: number;
  holds: number;
  edits: number;
  edits_refused: number;
  stops: number;
  retries: number;
  reports: number;
  late_reports: number;
};
export type Traffic = {
  promised: Promised;
  said: Said;
  /** What hostile workers did, and with what result. */
  deeds: Deeds;
  /** Until the signal: launches, stops and retries. */
  running: Promise<void>;
  /** Tools are answered until this is called: what was launched has to end. */
  close: () => Promise<void>;
};
export type TrafficInput = { kernel: Kernel; web_url: string | null; random: Random; signal: AbortSignal };

// This many live turns are enough for every race; more only make the machine slow.
const liveMax = 40;
const treesFirst = 6;

export async function startTraffic(input: TrafficInput): Promise<Traffic> {
  const { kernel, random, signal } = input;
  const promised: Promised = { launches: [], reports: [], edits: [] };
  const said: Said = {
    launches: 0,
    plans: 0,
    holds: 0,
    edits: 0,
    edits_refused: 0,
    stops: 0,
    retries: 0,
    reports: 0,
    late_reports: 0,
  };
  const deeds = noDeeds();
  const state: State = { ...input, promised, said, deeds, trees: [], doors: random.fork() };
  for (const project_id of projects) {
    await createProject(kernel, { project_id, title: project_id });
    for (const { timeout_ms, ...tool } of tools)
      await saveTool(kernel, { project_id, tool: { ...tool, options: { timeout_ms } } });
  }
  const growing = random.fork();
  await savePlants(state, [...villainProfiles, ...planProfiles]);
  for (let n = 0; n < treesFirst; n++) await plant(state, growing);
  const closing = new AbortController();
  const answering = Promise.all([
    answerCalls(state, random.fork(), closing.signal),
    decideHolds(state, random.fork(), closing.signal),
  ]);
  const villains = startVillains({ ...input, deeds, projects, random: random.fork(), signal: closing.signal });
  const running = Promise.all([
    every(state, random.fork(), [250, 1_200], (own) => launchOne(state, own)),
    every(state, random.fork(), [1_500, 4_000], (own) => stopOne(state, own)),
    every(state, random.fork(), [300, 1_500], (own) => retryOne(state, own)),
    every(state, growing, [6_000, 10_000], (own) => plant(state, own)),
    every(state, random.fork(), [1_500, 4_000], (own) => launchPlan(state, own)),
    every(state, random.fork(), [200, 900], (own) => editOne(state, own)),
    Promise.race([
      Promise.all([answering, villains]),
      new Promise<void>((done) => signal.addEventListener("abort", () => done())),
    ]),
  ]).then(() => undefined);
  return {
    promised,
    said,
    deeds,
    running,
    close: async () => {
      closing.abort();
      await Promise.all([answering, villains]);
    },
  };
}

type State = TrafficInput & { promised: Promised; said: Said; deeds: Deeds; trees: Tree[]; doors: Random };

async function every(
  state: State,
  random: Random,
  [min, max]: [number, number],
  act: (random: Random) => Promise<void>,
): Promise<void> {
  while (!state.signal.aborted) {
    await act(random);
    await sleep(random.whole(min, max), undefined, { signal: state.signal }).catch(() => undefined);
  }
}

async function plant(state: State, random: Random): Promise<void> {
  const tree = growTree(random, `Tree${state.trees.length + 1}`);
  await savePlants(state, tree.profiles);
  state.trees.push(tree);
}

async function savePlants(state: State, profiles: ChaosProfile[]): Promise<void> {
  for (const project_id of projects)
    for (const { script, ...profile } of profiles)
      await again(() =>
        withUnit(state.kernel, (unit) =>
          saveProfile(unit, {
            project_id,
            author_id: "chaos",
            profile: parseProfile({
              ...profile,
              system_prompt: "You are {display_name}.",
              llm_config: { provider: "script", script },
              delegation_policy: { target_tags: [] },
              max_steps: 20,
            }),
          }),
        ),
      );
}

async function launchOne(state: State, random: Random): Promise<void> {
  const { kernel, said, promised, trees } = state;
  const project_id = random.pick(projects);
  const task = () => ({
    target_strategy: "new",
    target_ref: random.pick(trees).root,
    instruction: `launch ${said.launches + 1}`,
  });
  const isFork = random.chance(0.2);
  const args = isFork ? forkArgs(random, Array.from({ length: random.whole(1, 3) }, task)) : task();
  if (await isBusy(kernel)) return;
  const tool = isFork ? ("fork_join" as const) : ("delegate_async" as const);
  const body = { args, user: random.pick(["ann", "bob"]), action_id: `launch_${said.launches + 1}` };
  const launched = await throughAnyDoor(state, {
    path: `/projects/${project_id}/pmo/${tool}:call`,
    body,
    verb: () => launch(kernel, { project_id, tool, ...body }),
  });
  said.launches++;
  promised.launches.push({ project_id, root_turn_id: launched.root_turn_id });
}

function forkArgs(random: Random, tasks: object[]) {
  if (random.chance(0.4)) return { tasks, policy: policyOf(random, tasks.length) };
  return { tasks, fail_fast: random.chance(0.3) };
}

async function launchPlan(state: State, random: Random): Promise<void> {
  const { kernel, said, promised } = state;
  const project_id = random.pick(projects);
  const body = drawPlan(random, `plan ${said.plans + 1}`);
  if (await isBusy(kernel)) return;
  const call = {
    args: { body, inputs: { what: "chaos" }, is_stepped: false },
    user: random.pick(["ann", "bob"]),
    action_id: `plan_${said.plans + 1}`,
  };
  const launched = await throughAnyDoor(state, {
    path: `/projects/${project_id}/pmo/launch_plan:call`,
    body: call,
    verb: () => launch(kernel, { project_id, tool: "launch_plan", ...call }),
  });
  said.plans++;
  promised.launches.push({ project_id, root_turn_id: launched.root_turn_id });
}

const HELD = `
  SELECT project_id, request_id FROM state.human_requests WHERE kind = 'plan_hold' AND status = 'open' ORDER BY created_at, request_id LIMIT 20`;

/** What waits for a person, until it is closed: what was launched has to end. Somebody else may have been quicker. */
async function decideHolds({ kernel, said }: State, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await again(() => kernel.db.pool.query<{ project_id: string; request_id: string }>(HELD));
    for (const request of rows) {
      const decision = random.chance(0.8)
        ? ({ action: "approve" } as const)
        : ({ action: "deny", reason: "not needed" } as const);
      try {
        await again(() => decideRequest(kernel, { ...request, by: "chaos", decision }));
        said.holds++;
      } catch (error) {
        if (!(error instanceof KernelError) || error.code !== "conflict") throw error;
      }
    }
    await sleep(300);
  }
}

async function isBusy(kernel: Kernel): Promise<boolean> {
  const live = await again(() =>
    kernel.db.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM state.agent_turns WHERE ended_at IS NULL"),
  );
  return (live.rows[0]?.n ?? 0) > liveMax;
}

async function stopOne(state: State, random: Random): Promise<void> {
  const { kernel, said } = state;
  const { rows } = await again(() =>
    kernel.db.pool.query<{ project_id: string; agent_turn_id: string }>(
      "SELECT project_id, agent_turn_id FROM state.agent_turns WHERE ended_at IS NULL ORDER BY agent_turn_id LIMIT 200",
    ),
  );
  const at = random.next();
  const turn = rows[Math.floor(at * rows.length)];
  const scope = random.pick(["turn", "subtree"] as const);
  if (!turn) return;
  await throughAnyDoor(state, {
    path: `/projects/${turn.project_id}/turns/${turn.agent_turn_id}:stop`,
    body: { scope, reason: "chaos" },
    verb: () => stopTurn(kernel, { ...turn, scope, reason: "chaos", by: "chaos" }),
  });
  said.stops++;
}

const RETRIABLE = `
  SELECT k.project_id, k.batch_id, k.task_index FROM state.pmo_batch_tasks k
  JOIN state.pmo_batches b USING (project_id, batch_id)
  WHERE b.status = 'running' AND NOT b.fail_fast AND k.status IN ('failed', 'timeout', 'canceled') AND k.attempt_count < 4
  ORDER BY k.batch_task_id LIMIT 50`;

/** A turn that has ended meanwhile is refused, which is right. */
async function retryOne(state: State, random: Random): Promise<void> {
  const { kernel, said } = state;
  const { rows } = await again(() =>
    kernel.db.pool.query<{ project_id: string; batch_id: string; task_index: number }>(RETRIABLE),
  );
  const branch = rows[Math.floor(random.next() * rows.length)];
  if (!branch) return;
  try {
    await again(() => retryBranch(kernel, { ...branch, by: "chaos" }));
    said.retries++;
  } catch (error) {
    if (!(error instanceof KernelError) || error.code !== "conflict") throw error;
  }
}

type Call = { project_id: string; tool_call_id: string; tool_name: string };

/** `prompt` and `last_word` report once, `twice` reports twice at once, `slow` says it is still working, `late` is too late. */
async function answerCalls(state: State, random: Random, signal: AbortSignal): Promise<void> {
  const seen = new Set<string>();
  const answering = new Set<Promise<void>>();
  while (!signal.aborted) {
    const { rows } = await again(() =>
      state.kernel.db.pool.query<Call>(
        `SELECT project_id, tool_call_id, tool_name FROM state.turn_waiting_tools WHERE wait_status = 'waiting' AND tool_name = ANY ($1::text[])
         ORDER BY created_at, tool_call_id`,
        [tools.map((tool) => tool.tool_name)],
      ),
    );
    for (const call of rows.filter((row) => row.tool_name !== "never" && !seen.has(row.tool_call_id))) {
      seen.add(call.tool_call_id);
      const answer: Promise<void> = answerOne(state, random.fork(), call)
        .catch((error) => hindered(state, call, error))
        .finally(() => answering.delete(answer));
      answering.add(answer);
    }
    await sleep(150);
  }
  await Promise.all(answering);
}

async function answerOne(state: State, random: Random, call: Call): Promise<void> {
  const { tool_name } = call;
  const result = {
    said: `by ${tool_name}`,
    ...(random.chance(0.1) && { __cg_control: { after_execution: "terminate" } }),
  };
  await sleep(tool_name === "late" ? random.whole(600, 2_500) : random.whole(0, 900));
  if (tool_name === "slow") {
    await report(state, call, { status: "running" });
    await sleep(random.whole(500, 2_500));
  }
  const status = random.pick(["success", "success", "success", "failed", "partial"] as const);
  await Promise.all([
    report(state, call, { status, result }),
    ...(tool_name === "twice" ? [report(state, call, { status: "success", result: "another answer" })] : []),
  ]);
}

/** A hostile worker's forged result used to block the real one. */
function hindered({ deeds }: State, { project_id, tool_call_id, tool_name }: Call, error: unknown): void {
  const what = `${tool_name}: ${error instanceof Error ? error.message : error}`;
  deeds.wrong.push({ invariant: HINDERED, project_id, id: tool_call_id, what });
}

async function report(
  state: State,
  call: Call,
  body: { status: "success" | "failed" | "partial" | "running"; result?: unknown },
): Promise<void> {
  const { project_id, tool_call_id } = call;
  const reported = await throughAnyDoor<{ status: string; card_id?: string }>(state, {
    path: `/projects/${project_id}/tool-calls/${tool_call_id}:report`,
    body,
    verb: () => reportResult(state.kernel, { project_id, tool_call_id, ...body } as Parameters<typeof reportResult>[1]),
  });
  state.said.reports++;
  if (reported.status === "late") state.said.late_reports++;
  if (reported.status === "received" && reported.card_id)
    state.promised.reports.push({ project_id, card_id: reported.card_id });
}
