// A worker: takes turns when it is rung or when it polls, runs several at once, sends heartbeats for all of them in one
// statement, and runs a watchdog. Any number of workers share a database; the kernel decides which worker has which turn.

import { KernelError } from "@/server/contract/errors";
import { mayHaveLeft } from "@/server/kernel/inbox/claimable";
import type { Kernel, LeaseRing } from "@/server/kernel/kernel";
import { letGo } from "@/server/kernel/reclaim/let-go";
import { releaseClaimed } from "@/server/kernel/reclaim/release-claimed";
import { isRemoved } from "@/server/kernel/roster/removed";
import { beatTurns } from "@/server/kernel/turns/beat-turns";
import type { Delivered, DeliverInput } from "@/server/kernel/turns/deliver-turn";
import { isFenced } from "@/server/kernel/turns/fenced";
import type { TurnKey } from "@/server/kernel/turns/lock-turn";
import { registerWorker, removeWorker } from "@/server/kernel/turns/register-worker";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import { type Started, startTurns } from "@/server/kernel/turns/start-turn";
import { readHeld, type TakenRow, takeWork } from "@/server/kernel/turns/take-work";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { log } from "@/server/log";
import { type Audience, createAudience } from "./audience";
import { createBell } from "./bell";
import type { Models } from "./models/models";
import { runTurn } from "./run-turn";
import { listenForSilence, type SilenceOptions } from "./silence";
import { createTaking, type Taking } from "./taker";
import { together } from "./together";
import type { McpServers } from "./tools/mcp-servers";
import { TurnLeft, TurnLost } from "./turn-lost";
import { isAway, pause, untilWritten } from "./until-written";
import { watch } from "./watchdog";

export type WorkerOptions = {
  worker_id: string;
  /** Names of worker targets; "*" takes everything. */
  targets: string[];
  concurrency: number;
  version: string;
  /** How long a stop waits for steps to end before it hands their turns on in the middle. */
  graceMs?: number;
  models?: Models;
  /** Closed by its creator. Absent = profiles' MCP servers are not used. */
  mcp?: McpServers;
  /** Called when a claim, a heartbeat or the registration succeeds or fails. Absent = not reported. */
  silence?: SilenceOptions;
};

export type Worker = {
  active: () => number;
  /** No more claims; turns are handed on when their step ends, or in the middle when the grace period is over. */
  stop: () => Promise<void>;
  /** During a stop: end the grace period now. */
  hurry: () => void;
};

const registerMs = 10_000;
// A failed heartbeat is tried again long before six of them are missing.
const retryMs = 1_000;
const backOffMsMax = 5_000;
// The first look may come before the commit that is in doubt.
const DOUBTS = 2;

export async function startWorker(kernel: Kernel, options: WorkerOptions): Promise<Worker> {
  const { worker_id } = options;
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const ended = new AbortController();
  const taking = createTaking(kernel, {
    ...options,
    active: () => state.active.size,
    claiming: () => state.claiming,
    isBehind: () => state.isBehind,
    leaving: stopping.signal,
    // While it stops, what it holds is handed on.
    begin: (turn) => {
      if (!stopping.signal.aborted) begin(state, heldRow(turn));
    },
    doubt: () => {
      state.doubts = DOUBTS;
      state.bell.ring();
    },
    freed: () => freed(state),
  });
  const state: State = {
    kernel,
    options,
    bell: createBell(),
    audience: createAudience(),
    active: new Map(),
    isBehind: true,
    claiming: 0,
    doubts: 0,
    hidden: new Set(),
    leaving: stopping.signal,
    start: together((turns: TurnKey[]) => startTurns(kernel, { worker_id, turns })),
    taking,
    deliver: together(taking.deliver),
  };
  // Stopping a tree rings for each of its turns, and one heartbeat tells about all of them.
  const look = together(async (rings: LeaseRing[]) => {
    await beat(state).catch((error) => log().debug({ error: String(error) }, "checking the leases failed"));
    return rings;
  }, 1_000);
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (ring.kind === "wakeup" && isServed(options.targets, ring.worker_target)) state.bell.ring();
    if (ring.kind === "watch") state.audience.hear(ring);
    // Anyone may ring; the database says whose turn it is.
    if (ring.kind === "journal" && state.hidden.has(ring.project_id)) void goOn(state).catch(ignoreAway);
    if (ring.kind === "lease" && isRunning(state, ring)) void look(ring);
  });
  const silence = listenForSilence(options.silence ?? { onSilent: () => undefined });
  // A statement has its own limit within a period; after three periods without an end, nothing here can be expected to
  // recover.
  const heard = (what: string, periodMs: number) =>
    silence.expect(what, Math.max(periodMs, kernel.tunables.quickStatementMs, backOffMsMax));
  const claiming = claim(state, stopping.signal, heard("claim", kernel.tunables.pollMs));
  const upkeep = [
    every(
      kernel.tunables.beatMs,
      ended.signal,
      "heartbeat",
      () => beat(state),
      heard("heartbeat", kernel.tunables.beatMs),
    ),
    every(
      registerMs,
      ended.signal,
      "registration",
      () => registerWorker(kernel, options),
      heard("registration", registerMs),
    ),
    watch(kernel, ended.signal),
  ];
  return {
    active: () => state.active.size,
    stop: async () => {
      // From here on the stop has its own grace period.
      silence.stop();
      stopping.abort();
      state.bell.ring();
      await claiming;
      await endSteps(state, options.graceMs ?? 10_000, hurrying.signal);
      // Best effort: what is not handed on now is taken over when its lease ends.
      await handOnAll(state).catch(ignoreAway);
      ended.abort();
      await Promise.all(upkeep);
      await unlisten();
      await removeWorker(kernel, options.worker_id).catch(ignoreAway);
    },
    hurry: () => hurrying.abort(),
  };
}

/** `turn` while it runs: between its start and its end. */
type Active = { row: TakenRow; turn?: TurnRow; lost: AbortController; running: Promise<void> };
type State = {
  kernel: Kernel;
  options: WorkerOptions;
  bell: ReturnType<typeof createBell>;
  audience: Audience;
  active: Map<string, Active>;
  /** The last claim had no place for all that waits, or did not ask: whoever ends makes room for another one. */
  isBehind: boolean;
  /** Places promised to the claim under way. */
  claiming: number;
  /** How often it still looks for turns that it may hold and does not know of. */
  doubts: number;
  /** Removed projects that this worker was running turns of. If the removal is undone, it goes on with them. */
  hidden: Set<string>;
  /** Aborted when the worker is told to stop. */
  leaving: AbortSignal;
  start: (turn: TurnKey) => Promise<Started>;
  taking: Taking;
  deliver: (end: DeliverInput) => Promise<Delivered>;
};

type Ref = { project_id: string; agent_turn_id: string };

/** `turn_epoch`: absent = under any. */
const isRunning = ({ active }: State, { project_id, agent_turn_id }: Ref, turn_epoch?: number): boolean =>
  [...active.values()].some(
    ({ turn }) =>
      turn?.project_id === project_id &&
      turn.agent_turn_id === agent_turn_id &&
      (turn_epoch === undefined || turn.turn_epoch === turn_epoch),
  );

const isServed = (targets: string[], target: string): boolean => targets.includes("*") || targets.includes(target);

async function claim(state: State, stopping: AbortSignal, heard: () => void): Promise<void> {
  const { kernel, options, bell, active } = state;
  let backOffMs = 0;
  let after: TakenRow | undefined;
  while (!stopping.aborted) {
    bell.reset();
    const limit = options.concurrency - active.size - state.taking.reserved();
    try {
      const asked = Math.min(limit, kernel.tunables.claimLimit);
      state.claiming = Math.max(asked, 0);
      const ask = { ...options, worker_targets: options.targets, limit: asked, after };
      const rows = asked > 0 ? await takeWork(kernel, ask) : [];
      state.claiming = 0;
      state.isBehind = asked <= 0 || mayHaveLeft(rows.length, asked);
      after = rows.at(-1) ?? after;
      // First of all: the turns just taken belong to no other worker now.
      for (const row of rows) begin(state, row);
      if (backOffMs > 0) log().info("the database is back");
      if (backOffMs > 0 || state.doubts > 0) {
        state.doubts = Math.max(0, state.doubts - 1);
        await adopt(state);
      }
      backOffMs = 0;
      if (state.isBehind && rows.length > 0) {
        heard();
        continue;
      }
    } catch (error) {
      state.claiming = 0;
      if (backOffMs === 0) log().warn({ error: String(error) }, "turns cannot be claimed; trying again");
      backOffMs = Math.min(Math.max(backOffMs * 2, 100), backOffMsMax);
    }
    heard();
    // While the database is away, a ring is no reason to hurry.
    if (backOffMs > 0) await pause(backOffMs, stopping);
    else await bell.wait(kernel.tunables.pollMs);
  }
}

/** Turns that were only refused their writes while their project was hidden are still this worker's; all others waited a minute for it. */
async function goOn(state: State): Promise<void> {
  for (const project_id of [...state.hidden]) {
    if (await isRemoved(state.kernel, project_id)) continue;
    state.hidden.delete(project_id);
    await adopt(state, project_id);
  }
}

/** Turns taken by a statement whose answer never came. */
async function adopt(state: State, only?: string): Promise<void> {
  for (const turn of await readHeld(state.kernel, state.options.worker_id)) {
    if (only !== undefined && turn.project_id !== only) continue;
    const { project_id, agent_turn_id } = turn;
    // One that is being taken up comes to this lease too; one that is ending has had another.
    const isKnown = [...state.active.values()].some(
      (one) =>
        one.row.project_id === project_id &&
        one.row.agent_turn_id === agent_turn_id &&
        (one.turn === undefined || one.turn.turn_epoch === turn.turn_epoch),
    );
    if (!isKnown) begin(state, heldRow(turn));
  }
}

/** Of a turn that no claim has brought. */
function heldRow(turn: TurnRow): TakenRow {
  const { project_id, agent_id, agent_turn_id, turn_epoch, worker_target, attempt } = turn;
  const message = { inbox_id: "", message_type: "turn" } as const;
  return { ...message, project_id, agent_id, agent_turn_id, turn_epoch, worker_target, attempt, turn };
}

function begin(state: State, row: TakenRow): void {
  if (row.message_type !== "turn" && row.message_type !== "tool_result" && row.message_type !== "timeout") {
    log().warn({ ...row }, "this version of the worker does not know this message type; the message stays claimed");
    return;
  }
  // A claim whose start took longer than the kernel waits is handed out again.
  const key = `${leaseOf(row)} ${row.message_type === "turn" ? "" : row.inbox_id}`;
  if (state.active.has(key)) return;
  const lost = new AbortController();
  const entry: Active = { row, lost, running: Promise.resolve() };
  state.active.set(key, entry);
  entry.running = run(state, entry)
    .catch((err) => {
      if (lost.signal.aborted) log().info({ ...idsOf(row), reason: String(lost.signal.reason) }, "dropped a turn");
      else
        log().error(
          { ...idsOf(row), err },
          "a turn failed unexpectedly; another worker takes it over when its lease ends",
        );
    })
    .finally(() => {
      state.active.delete(key);
      freed(state);
    })
    .then(() => noteHidden(state, entry));
}

/** There is a place for what the last claim left behind. */
function freed({ isBehind, bell }: State): void {
  if (isBehind) bell.ring();
}

async function noteHidden({ kernel, hidden }: State, { row, lost }: Active): Promise<void> {
  if (!(lost.signal.reason instanceof TurnLost) || lost.signal.reason instanceof TurnLeft) return;
  const isGone = await isRemoved(kernel, row.project_id).catch(ignoreAway);
  if (isGone) hidden.add(row.project_id);
}

async function run(state: State, entry: Active): Promise<void> {
  const { kernel, options, audience, leaving, taking } = state;
  const { lost } = entry;
  const { worker_id, models, mcp } = options;
  const turn = await takeUp(state, entry);
  // A result that a turn read by going to sleep was claimed meanwhile, and the turn went on with another one: asked to resume it, the kernel
  // answers that it runs, and is this worker's.
  if (turn === null || isRunning(state, turn, turn.turn_epoch)) return;
  entry.turn = turn;
  try {
    const own = { kernel: taking.kernel, deliver: state.deliver };
    await runTurn({ ...own, worker_id, models, mcp, turn, lost, leaving, audience });
  } catch (error) {
    // At once: other turns of this worker may need the whole grace period.
    if (lost.signal.reason instanceof TurnLeft) await letGo(kernel, { ...idsOf(turn), worker_id }).catch(ignoreAway);
    throw error;
  }
  entry.turn = undefined;
}

/** The turn that a claimed row starts, or resumes with the last of its results; null if there is nothing to run. */
async function takeUp({ kernel, options, start }: State, { row, lost }: Active): Promise<TurnRow | null> {
  const { worker_id } = options;
  const { project_id, agent_turn_id, inbox_id } = row;
  if (row.turn) return row.turn;
  if (row.message_type === "turn") {
    const started = await untilWritten(lost.signal, () => start(idsOf(row)));
    return isFenced(started) ? null : started.turn;
  }
  const resumed = await untilWritten(lost.signal, () =>
    resumeTurn(kernel, { project_id, agent_turn_id, inbox_id, worker_id }),
  );
  return resumed?.turn ?? null;
}

async function beat(state: State): Promise<void> {
  const { kernel, options, active } = state;
  if (state.hidden.size > 0) await goOn(state);
  const running = [...active.values()].filter((entry) => entry.turn !== undefined);
  const turns = running.flatMap(({ turn }) => (turn ? [idsOf(turn)] : []));
  const fenced = new Set((await beatTurns(kernel, { worker_id: options.worker_id, turns })).map((key) => leaseOf(key)));
  for (const { turn, lost } of running)
    if (turn && fenced.has(leaseOf(turn))) lost.abort(new TurnLost("another worker has its lease, or it has ended"));
}

async function endSteps({ active }: State, graceMs: number, hurrying: AbortSignal): Promise<void> {
  const ended = Promise.all([...active.values()].map((entry) => entry.running));
  await Promise.race([ended, pause(graceMs, hurrying)]);
  for (const { lost } of active.values()) lost.abort(new TurnLeft());
  await ended;
}

/** Read from the database: this process does not know about a start or a claim whose answer never came. */
async function handOnAll({ kernel, options: { worker_id } }: State): Promise<void> {
  for (const turn of await readHeld(kernel, worker_id)) await letGo(kernel, { ...idsOf(turn), worker_id });
  await releaseClaimed(kernel, worker_id);
}

async function every(
  ms: number,
  signal: AbortSignal,
  what: string,
  work: () => Promise<unknown>,
  heard: () => void,
): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = ms;
    try {
      await work();
    } catch (error) {
      log().debug({ error: String(error) }, `${what} failed`);
      pauseMs = Math.min(ms, retryMs);
    }
    heard();
    await pause(pauseMs, signal);
  }
}

/** A read that was not answered in time is no reason to end a worker either: nobody waits for its answer. */
function ignoreAway(error: unknown): void {
  if (!isAway(error) && !(error instanceof KernelError && error.code === "read_timeout")) throw error;
}

const leaseOf = ({ project_id, agent_turn_id, turn_epoch }: TurnKey): string =>
  `${project_id} ${agent_turn_id} ${turn_epoch}`;

const idsOf = ({ project_id, agent_turn_id, turn_epoch }: TurnKey): TurnKey => ({
  project_id,
  agent_turn_id,
  turn_epoch,
});
