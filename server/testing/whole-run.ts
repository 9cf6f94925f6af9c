// A run that uses every verb of the kernel, small enough to repeat a hundred times, each time with one fault in another
// place. The result must always be the same.
import { setTimeout as sleep } from "node:timers/promises";
import type { Decision } from "@/server/contract/asking";
import { decideRequest } from "@/server/kernel/humans/decide-request";
import { claimInbox } from "@/server/kernel/inbox/claim-inbox";
import { reportResult } from "@/server/kernel/inbox/report-result";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { stopTurn } from "@/server/kernel/reclaim/stop-turn";
import { saveTool } from "@/server/kernel/roster/save-tool";
import { type Tunables, tunables } from "@/server/kernel/tunables";
import { startTurn } from "@/server/kernel/turns/start-turn";
import type { Worker } from "@/server/worker/loop";
import { isAway } from "@/server/worker/until-written";
import { seedProject } from "./kernel";
import { scripted, startTestWorker } from "./turns";

/** Short timeouts: what takes a minute in the product takes a fraction of a second here. */
export const hastyTunables: Tunables = {
  ...tunables,
  pollMs: 100,
  beatMs: 200,
  leaseMs: 1_500,
  startMs: 400,
  processingMsMax: 400,
  watchdogMs: 150,
  pendingRingMs: 300,
  deferMs: 50,
  dispatchRetryMs: 50,
  // With such timeouts a busy machine may look dead; no turn may fail because of it.
  attemptsMax: 10,
};

const P = "whole";

/** Turns and batches in words that hold no id: equal for two runs that came to the same end. */
export type Outcome = { turns: string[]; batches: string[] };

/** `quiet` makes the project; everything that the run itself does goes through `kernel`, whose probe may throw. */
export async function playWholeRun(quiet: Kernel, kernel: Kernel, timeoutMs: number): Promise<Outcome> {
  await makeProject(quiet);
  const workers = [await startTestWorker(kernel, { targets: ["worker_generic"], graceMs: 0 })];
  try {
    const args = { target_strategy: "new", target_ref: "Root", instruction: "begin" };
    await again(() => launch(kernel, { project_id: P, tool: "delegate_async", user: "ann", action_id: "go", args }));
    for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
      const { turns, batches, calls, requests } = await look(quiet);
      if (turns.length > 1 && turns.every((turn) => turn.is_over) && batches === 0) break;
      if (Date.now() > end)
        throw new Error(
          `not over: ${turns.filter((t) => !t.is_over).map((t) => `${t.profile_name} ${t.status} (${t.note})`)}`,
        );
      await playOthers(kernel, { turns, calls, requests, workers });
    }
  } finally {
    for (const worker of workers) await worker.stop();
  }
  return outcomeOf(quiet);
}

async function makeProject(quiet: Kernel): Promise<void> {
  const task = (target_ref: string) => ({ target_strategy: "new", target_ref, instruction: `fork to ${target_ref}` });
  const toNew = (target_ref: string) => ({
    call: "delegate_async",
    arguments: { ...task(target_ref), instruction: "alone" },
  });
  await seedProject(quiet, P, [
    scripted(
      "Root",
      [
        {
          calls: [
            { call: "think", arguments: { thought: "first" } },
            toNew("Helper"),
            toNew("Endless"),
            toNew("Frozen"),
          ],
        },
        {
          call: "delegate_async",
          arguments: { target_strategy: "reuse", target_ref: "{result.2.agent_id}", instruction: "and again" },
        },
        {
          call: "fork_join",
          arguments: { tasks: ["Leaf", "Asked", "Unheard", "Bad", "Wonders", "Leaf"].map(task), max_parallel: 3 },
        },
        { call: "ask_expert", arguments: { expert_profile: "Leaf", question: "why", include_history: true } },
        { deliver: "joined {result.6.status}, told {result.7.summary}" },
      ],
      { allowed_tools: ["delegate_async", "fork_join", "ask_expert"], max_steps: 20 },
    ),
    scripted("Helper", [{ wait_ms: 300 }, { deliver: "helped: {instruction}" }]),
    scripted("Endless", [{ wait_ms: 600_000 }, { deliver: "never" }]),
    scripted("Frozen", [{ deliver: "thawed" }], { worker_target: "frozen" }),
    scripted("Leaf", [{ think: "hm" }, { deliver: "leaf: {instruction}" }]),
    scripted("Asked", [{ call: "answered" }, { deliver: "was told {result.1}" }], { allowed_tools: ["answered"] }),
    scripted("Unheard", [{ call: "silent" }, { deliver: "was told nothing" }], { allowed_tools: ["silent"] }),
    scripted(
      "Wonders",
      [
        { calls: [{ call: "ask_human", arguments: { question: "Go on?" } }, toNew("Leaf")] },
        { call: "delegate_async", arguments: { ...task("Leaf"), instruction: "denied" } },
        { call: "ask_human", arguments: { question: "Anybody?", timeout_seconds: 0.15 } },
        { deliver: "was told {result.1.answer}, {result.2.status}, {result.3.error_code}" },
      ],
      { allowed_tools: ["ask_human", "delegate_async"], requires_approval: ["delegate_async"] },
    ),
    scripted("Bad", [{ fail: "boom" }]),
  ]);
  await saveTool(quiet, { project_id: P, tool: { tool_name: "answered", options: { timeout_ms: 60_000 } } });
  await saveTool(quiet, { project_id: P, tool: { tool_name: "silent", options: { timeout_ms: 150 } } });
}

type Look = {
  turns: {
    agent_turn_id: string;
    profile_name: string;
    status: string;
    note: string | null;
    attempt: number;
    turn_epoch: number;
    is_over: boolean;
  }[];
  /** That still run. */
  batches: number;
  /** Of the tool that somebody answers. */
  calls: { tool_call_id: string }[];
  /** That people decide. */
  requests: { request_id: string; kind: string; text: string }[];
};

async function look({ db }: Kernel): Promise<Look> {
  const { rows } = await db.pool.query<Look>(
    `SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_turn_id', agent_turn_id, 'profile_name', profile_name, 'status', status,
        'note', note, 'attempt', attempt, 'turn_epoch', turn_epoch, 'is_over', ended_at IS NOT NULL)), '[]') FROM state.agent_turns) AS turns,
      (SELECT count(*)::int FROM state.pmo_batches WHERE status = 'running') AS batches,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('tool_call_id', tool_call_id)), '[]') FROM state.turn_waiting_tools
        WHERE wait_status = 'waiting' AND tool_name = 'answered') AS calls,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('request_id', request_id, 'kind', kind, 'text', coalesce(question, arguments)::text)), '[]')
        FROM state.human_requests WHERE status = 'open' AND deadline_at IS NULL) AS requests`,
  );
  const [row] = rows;
  if (!row) throw new Error("an aggregate answered no row");
  return row;
}

/** The tool service, the people who are asked, the person who stops what has no end, and a worker that dies with a turn in its hands. */
async function playOthers(
  kernel: Kernel,
  { turns, calls, requests, workers }: Pick<Look, "turns" | "calls" | "requests"> & { workers: Worker[] },
) {
  // Twice, as services do that did not hear the answer.
  for (const { tool_call_id } of calls)
    for (let n = 0; n < 2; n++)
      await again(() => reportResult(kernel, { project_id: P, tool_call_id, status: "success", result: "so" }));
  for (const request of requests)
    for (let n = 0; n < 2; n++)
      await again(() =>
        decideRequest(kernel, {
          project_id: P,
          request_id: request.request_id,
          by: "ann",
          decision: decisionOn(request),
        }),
      );
  const endless = turns.find((turn) => turn.profile_name === "Endless" && turn.status === "running");
  if (endless) {
    const { agent_turn_id } = endless;
    await again(() => stopTurn(kernel, { project_id: P, agent_turn_id, scope: "subtree", by: "ann" }));
  }
  const frozen = turns.find((turn) => turn.profile_name === "Frozen");
  if (!frozen || frozen.is_over || workers.length > 1) return;
  if (frozen.attempt > 1)
    workers.push(await startTestWorker(kernel, { worker_id: "w2", targets: ["frozen"], graceMs: 0 }));
  else if (frozen.status === "dispatched") await dieWith(kernel, frozen);
}

function decisionOn({ kind, text }: Look["requests"][number]): Decision {
  if (kind === "question") return { action: "answer", answer: "yes" };
  if (text.includes("denied")) return { action: "deny", reason: "no" };
  return {
    action: "approve",
    arguments: { target_strategy: "new", target_ref: "Leaf", instruction: "as approved" },
  };
}

async function dieWith(kernel: Kernel, { agent_turn_id, turn_epoch }: Look["turns"][number]): Promise<void> {
  const rows = await claimInbox(kernel, { worker_targets: ["frozen"], worker_id: "dying", limit: 1 }).catch(unlessAway);
  if (!rows || rows.length === 0) return;
  await again(() => startTurn(kernel, { project_id: P, agent_turn_id, turn_epoch, worker_id: "dying" }));
}

/** As every client does after a 503. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      unlessAway(error);
    }
    await sleep(20);
  }
}

function unlessAway(error: unknown): null {
  if (!isAway(error)) throw error;
  return null;
}

async function outcomeOf({ db }: Kernel): Promise<Outcome> {
  const { rows: turns } = await db.pool.query<{ line: string }>(
    `SELECT concat_ws(' | ', t.profile_name, t.primitive, t.target_strategy, t.title, t.status, t.error_code,
      coalesce(c.content ->> 'text', c.content -> 'data' ->> 'kind'), own.types) AS line
     FROM state.agent_turns t LEFT JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = t.deliverable_card_id
     CROSS JOIN LATERAL (
       SELECT string_agg(o.metadata ->> 'type', ' ' ORDER BY k.start, card.place) AS types
       FROM card_box_chunks k CROSS JOIN unnest(k.card_ids) WITH ORDINALITY AS card(id, place)
       JOIN cards o ON o.tenant_id = k.tenant_id AND o.card_id = card.id
       WHERE k.tenant_id = t.project_id AND k.box_id = t.output_box_id
         AND (t.worker_target = 'human' OR o.metadata ->> 'agent_turn_id' = t.agent_turn_id)) own
     ORDER BY 1`,
  );
  const { rows: batches } = await db.pool.query<{ line: string }>(
    `SELECT concat_ws(' | ', b.tool_name, b.status, string_agg(k.status, ' ' ORDER BY k.task_index)) AS line
     FROM state.pmo_batches b JOIN state.pmo_batch_tasks k USING (project_id, batch_id)
     GROUP BY b.project_id, b.batch_id ORDER BY 1`,
  );
  return { turns: turns.map((row) => inAnyOrder(row.line)), batches: batches.map((row) => row.line) };
}

/** Of two requests of one step, the second may be seen by the person a look later than the first: whose answer comes first is chance. */
const inAnyOrder = (line: string): string =>
  line
    .replace(
      /\b(?:(?:tool\.result|meta\.approved_call)(?: |$))+/g,
      (answers) => `${answers.trim().split(" ").sort().join(" ")} `,
    )
    .trim();
