// A worker of no-ops on the kernel's verbs: claims as many at a time as a worker may, starts and ends children, wakes parents whose branches
// have joined. While one claim is being written, the next one is made. What its places have room for begins with the fork that makes it,
// as in every worker.

import { mayHaveLeft } from "@/server/kernel/inbox/claimable";
import type { Kernel, Taker } from "@/server/kernel/kernel";
import { type DeliverInput, deliverTurns } from "@/server/kernel/turns/deliver-turn";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";
import { resumeTurn } from "@/server/kernel/turns/resume-turn";
import { type TakenRow, takeWork } from "@/server/kernel/turns/take-work";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { createBell } from "@/server/worker/bell";

export const PARENT = "bench_parent";
export const CHILD = "bench_child";
const CLAIMS_AT_ONCE = 2;
/**
 * The most that SWITCHYARD_WORKER_CONCURRENCY allows, and exactly the children of 8 forks of 64. LangGraph.js and DBOS have no limit. Only
 * children that begin with their fork are counted; claims are limited by CLAIMS_AT_ONCE.
 */
const PLACES = 512;

export type NoopWorker = {
  /** What forks with it has its children begun here. */
  kernel: Kernel;
  /** The epoch under which the parent continues. */
  untilResumed: (agent_turn_id: string) => Promise<number>;
  stop: () => Promise<void>;
};

/** `targets`: a process that forks must be the only one that serves its parents, or it waits for one that goes on elsewhere. */
export async function startNoopWorker(
  own: Kernel,
  worker_id: string,
  targets: readonly string[] = [CHILD, PARENT],
): Promise<NoopWorker> {
  const bell = createBell();
  const resumed = new Map<string, (turn_epoch: number) => void>();
  const groupMax = own.tunables.claimLimit;
  const begun: TurnRow[] = [];
  let reserved = 0;
  let active = 0;
  let broken: unknown;
  const atWork = new Set<Promise<void>>();
  const put = (job: Promise<void>) => {
    const done: Promise<void> = job
      .catch((error: unknown) => {
        broken ??= error;
      })
      .finally(() => atWork.delete(done));
    atWork.add(done);
  };
  const serves: Taker["serves"] = ({ worker_target }) => targets.includes(worker_target);
  const taker: Taker = {
    worker_id,
    serves,
    mayTake: serves,
    reserve: (n) => {
      const kept = isStopping ? 0 : Math.min(n, Math.max(0, PLACES - active - begun.length - reserved));
      reserved += kept;
      return kept;
    },
    release: (n) => {
      reserved -= n;
    },
    take: (turn) => {
      const row = turn as TurnRow;
      if (row.worker_target !== CHILD) return resumed.get(row.agent_turn_id)?.(row.turn_epoch);
      // All of a fork come in one turn of the loop.
      if (begun.push(row) === 1)
        queueMicrotask(() => {
          while (begun.length > 0) put(run(begun.splice(0, groupMax)));
        });
    },
    doubt: () => undefined,
  };
  const kernel: Kernel = { ...own, taker };
  let isStopping = false;
  const unlisten = await kernel.doorbell.listen((ring) => {
    if (ring.kind === "wakeup") bell.ring();
  });
  const resume = async ({ project_id, agent_turn_id, inbox_id }: TakenRow): Promise<void> => {
    const result = await resumeTurn(kernel, { project_id, agent_turn_id, inbox_id, worker_id });
    if (result?.status === "running") resumed.get(agent_turn_id)?.(result.turn_epoch);
  };
  const run = async (children: TurnRow[]): Promise<void> => {
    active += children.length;
    await doNothing(kernel, worker_id, children).finally(() => {
      active -= children.length;
    });
  };
  const work = async (rows: TakenRow[]): Promise<void> => {
    const children = rows.filter((row) => row.worker_target === CHILD && row.message_type === "turn");
    await Promise.all(rows.filter((row) => row.message_type === "tool_result").map(resume));
    await run(children.map(startedOf));
  };
  const loop = (async () => {
    while (!isStopping) {
      bell.reset();
      if (atWork.size >= CLAIMS_AT_ONCE) await Promise.race(atWork);
      const rows = await takeWork(kernel, { worker_targets: [...targets], worker_id, limit: groupMax });
      if (rows.length > 0) put(work(rows));
      if (!mayHaveLeft(rows.length, groupMax)) await bell.wait(kernel.tunables.pollMs);
      if (broken !== undefined) throw broken;
    }
    await Promise.all(atWork);
  })();
  return {
    kernel,
    untilResumed: (agent_turn_id) => new Promise((resolve) => resumed.set(agent_turn_id, resolve)),
    stop: async () => {
      isStopping = true;
      bell.ring();
      await loop;
      await unlisten();
    },
  };
}

function startedOf({ turn }: TakenRow): TurnRow {
  if (!turn) throw new Error("a turn was claimed and not started");
  return turn;
}

async function doNothing(kernel: Kernel, worker_id: string, turns: TurnRow[]): Promise<void> {
  if (turns.length === 0) return;
  const ends = turns.map(({ project_id, agent_turn_id, turn_epoch }): DeliverInput => {
    const content: DeliverInput["content"] = { kind: "text", text: "done" };
    return { project_id, agent_turn_id, turn_epoch, status: "success", content, worker_id };
  });
  for (const answer of await deliverTurns(kernel, ends)) held(answer);
}

/** Nobody takes a lease away on a bench. */
export function held<T extends object>(answer: T | Fenced): Exclude<T, Fenced> {
  if (isFenced(answer)) throw new Error("a lease was lost");
  return answer as Exclude<T, Fenced>;
}
