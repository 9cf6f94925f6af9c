// Two hostile workers in another language: they do the work of their targets, because runs have to end, and meanwhile write
// under wrong epochs, send everything twice at once, forge results, answer for others, take each other's work, and go silent
// with claimed work. A write that is accepted but should not be is a violation.
import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedWork } from "@/server/contract/work";
import type { Kernel } from "@/server/kernel/kernel";
import { type Call, type Prey, type Trick, tricks } from "./malice";
import type { Random } from "./random";
import { type Answer, type Ask, askOf } from "./rest";

export const villainTargets = ["foreign_1", "foreign_2"];
/** The profile that they run, by target. */
export const villainProfile = (target: string): string => `Villain_${target}`;

export type Deeds = {
  /** What was tried, and how it was answered: "append 409". */
  tried: Record<string, number>;
  /** Accepted, or answered with 5xx. */
  wrong: { invariant: string; project_id: string; id: string; what: string }[];
};
export const LET_IN = "no forged, stale or foreign request of a hostile worker was let in";
export const HINDERED = "no honest report was refused";
export const BROKE = "no request of a hostile worker broke the server";

export const noDeeds = (): Deeds => ({ tried: {}, wrong: [] });

export type VillainInput = {
  deeds: Deeds;
  kernel: Kernel;
  web_url: string | null;
  projects: string[];
  random: Random;
  signal: AbortSignal;
};

/** Until the signal: as long as there are turns that have to end. */
export async function startVillains(input: VillainInput): Promise<void> {
  const { deeds } = input;
  const ask = watched(askOf(input.kernel, input.web_url), deeds);
  await Promise.all(villainTargets.map((target) => live({ ...input, random: input.random.fork(), ask, target })));
}

type Life = VillainInput & { ask: Ask; target: string };

// 503 means that the database is down; a running server must not answer with any other 5xx.
const watched =
  (ask: Ask, deeds: Deeds): Ask =>
  async (method, path, body) => {
    const answer = await ask(method, path, body);
    if (answer.status >= 500 && answer.status !== 503)
      deeds.wrong.push({
        invariant: BROKE,
        project_id: "",
        id: `${method} ${path}`,
        what: `${answer.status} to ${JSON.stringify(body)?.slice(0, 300)}: ${JSON.stringify(answer.json).slice(0, 300)}`,
      });
    return answer;
  };

const busyMax = 6;

async function live(life: Life): Promise<void> {
  const { random, signal, projects, ask, target } = life;
  const busy = new Set<Promise<void>>();
  for (let generation = 1; !signal.aborted; ) {
    const worker_id = `${target}-${generation}`;
    const project_id = random.pick(projects);
    // Sometimes the other one's work; it is dropped, or done badly.
    const worker_target = random.chance(0.1) ? random.pick(villainTargets) : target;
    const body = { worker_target, worker_id, limit: random.whole(1, 4), wait_ms: random.pick([0, 0, 300]) };
    const claimed = busy.size < busyMax ? await ask("POST", `/projects/${project_id}/workers:claim`, body) : null;
    const items = claimed?.status === 200 ? (claimed.json.items as ClaimedWork[]) : [];
    // Dead from now on, with everything it has just claimed; it comes back under a new name.
    if (items.length > 0 && random.chance(0.12)) generation++;
    else
      for (const item of items) {
        const one: Promise<void> = work(life, random.fork(), item, project_id, worker_id).finally(() =>
          busy.delete(one),
        );
        busy.add(one);
      }
    await sleep(items.length > 0 ? 50 : 300);
  }
  await Promise.all(busy);
}

async function work(life: Life, random: Random, item: ClaimedWork, project_id: string, worker_id: string) {
  const { ask } = life;
  const { agent_turn_id } = item.turn;
  const at = (verb: string) => `/projects/${project_id}/turns/${agent_turn_id}:${verb}`;
  const isTurn = item.inbox.message_type === "turn";
  const begin = isTurn
    ? { epoch: item.epoch, worker_id }
    : { epoch: item.epoch, inbox_id: item.inbox.inbox_id, worker_id };
  const begun = await twice(random, () => ask("POST", at(isTurn ? "start" : "resume"), begin));
  const running = begun.find((one) => one.status === 200 && (isTurn || one.json.status === "running"));
  if (running === undefined) return;
  const epoch = Number(running.json.epoch);
  const foreign_project = life.projects.find((one) => one !== project_id) ?? "nowhere";
  const prey: Prey = { project_id, foreign_project, agent_turn_id, epoch };
  for (let n = random.whole(0, 3); n > 0; n--) await play(life, random.pick(tricks), prey, worker_id, random);
  // It dies silently with a running turn: the turn is taken over.
  if (random.chance(0.12)) return;
  if (isTurn && random.chance(0.4) && (await callAndSleep(life, random, prey))) return;
  if (random.chance(0.1)) return;
  const status = random.pick(["success", "success", "success", "partial", "failed"] as const);
  const ends = await twice(random, () => ask("POST", at("deliver"), { epoch, status, content: `by ${worker_id}` }));
  note(life, "deliver", ends);
  if (ends.filter((one) => one.status === 200).length > 1) letIn(life, prey, "a turn was delivered twice", ends);
}

/** A step with a call, each sent twice at once; true if the turn is suspended now, or is lost. */
async function callAndSleep({ ask, ...life }: Life, random: Random, prey: Prey): Promise<boolean> {
  const { project_id, agent_turn_id, epoch } = prey;
  const at = (verb: string) => `/projects/${project_id}/turns/${agent_turn_id}:${verb}`;
  const begun = await ask("POST", at("step"), { epoch, phase: "started" });
  if (begun.status !== 200) return true;
  const step_id = String(begun.json.step_id);
  const task = {
    target_strategy: "new",
    target_ref: villainProfile(random.pick(villainTargets)),
    instruction: "below",
  };
  const [tool_name, args] = random.pick([
    ["prompt", {}],
    ["late", {}],
    ["never", {}],
    ["think", { thought: "aloud" }],
    // Out of range: refused as a result, or as a request.
    ["fork_join", { tasks: [task], deadline_seconds: 1e12, max_parallel: 2 ** 40 }],
    ["fork_join", { tasks: [task, task], deadline_seconds: 6 }],
  ] as [string, object][]);
  const call = { epoch, step_id, tool_name, arguments: args, client_call_id: `c${epoch}` };
  const called = await Promise.all([1, 2].map(() => ask("POST", at("call"), call)));
  note({ deeds: life.deeds }, "call", called);
  const ids = new Set(called.filter((one) => one.status === 200).map((one) => one.json.tool_call_id));
  if (ids.size > 1) letIn({ deeds: life.deeds }, prey, "one call was made twice", called);
  await ask("POST", at("step"), { epoch, phase: "completed", step_id, usage: { input_tokens: 3, output_tokens: 4 } });
  const suspending = called.find((one) => one.status === 200 && one.json.mode === "suspend");
  if (suspending === undefined) return called.every((one) => one.status === 409 || one.status === 503);
  const slept = await ask("POST", at("suspend"), { epoch, tool_call_ids: [suspending.json.tool_call_id] });
  return slept.status !== 200 || slept.json.status === "suspended";
}

async function play({ ask, kernel, deeds }: Life, trick: Trick, prey: Prey, worker_id: string, random: Random) {
  const answers = await trick.play({ ask, random, prey, worker_id, calls: () => callsOf(kernel, prey.project_id) });
  if (answers === null) return;
  note({ deeds }, trick.name, answers);
  const passed = answers.filter((one) => one.status < 300);
  if (passed.length > (trick.mayPass ?? 0)) letIn({ deeds }, prey, trick.name, passed);
}

/** What it could learn from the pages: which calls are waited for. */
async function callsOf({ db: { pool } }: Kernel, project_id: string): Promise<Call[]> {
  try {
    const { rows } = await pool.query<Call>(
      `SELECT tool_call_id, tool_name FROM state.turn_waiting_tools WHERE project_id = $1 AND wait_status = 'waiting'
       ORDER BY tool_call_id LIMIT 50`,
      [project_id],
    );
    return rows;
  } catch {
    // The database is down, as it often is here.
    return [];
  }
}

const twice = (random: Random, ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(random.chance(0.4) ? [ask(), ask()] : [ask()]);

function note({ deeds }: Pick<Life, "deeds">, what: string, answers: Answer[]): void {
  for (const { status } of answers) {
    const key = `${what} ${status}`;
    deeds.tried[key] = (deeds.tried[key] ?? 0) + 1;
  }
}

function letIn({ deeds }: Pick<Life, "deeds">, prey: Prey, what: string, answers: Answer[]): void {
  const said = JSON.stringify(answers.map((one) => [one.status, one.json])).slice(0, 400);
  deeds.wrong.push({
    invariant: LET_IN,
    project_id: prey.project_id,
    id: prey.agent_turn_id,
    what: `${what}: ${said}`,
  });
}
