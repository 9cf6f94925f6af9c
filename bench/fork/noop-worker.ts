// A worker of no-ops on the kernel's verbs: claims sixteen at a time, starts and ends children, wakes parents whose branches
// have joined. While one claim is being written, the next one is made.

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

export type NoopWorker = {
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
  const taker: Taker = {
    worker_id,
    mayTake: ({ worker_target }) => targets.includes(worker_target),
    take: (turn) => {
      const { agent_turn_id, turn_epoch } = turn as TurnRow;
      resumed.get(agent_turn_id)?.(turn_epoch);
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
  const work = async (rows: TakenRow[]): Promise<void> => {
    const children = rows.filter((row) => row.worker_target === CHILD && row.message_type === "turn");
    await Promise.all(rows.filter((row) => row.message_type === "tool_result").map(resume));
    await doNothing(kernel, worker_id, children);
  };
  const atWork = new Set<Promise<void>>();
  let broken: unknown;
  const loop = (async () => {
    while (!isStopping) {
      bell.reset();
      const limit = kernel.tunables.claimLimit;
      const rows = await takeWork(kernel, { worker_targets: [...targets], worker_id, limit });
      if (rows.length > 0) {
        const job: Promise<void> = work(rows)
          .catch((error: unknown) => {
            broken ??= error;
          })
          .finally(() => atWork.delete(job));
        atWork.add(job);
      }
      if (!mayHaveLeft(rows.length, limit)) await bell.wait(kernel.tunables.pollMs);
      if (atWork.size === CLAIMS_AT_ONCE) await Promise.race(atWork);
      if (broken !== undefined) throw broken;
    }
    await Promise.all(atWork);
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

async function doNothing(kernel: Kernel, worker_id: string, rows: TakenRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ends = rows.map((row): DeliverInput => {
    if (!row.turn) throw new Error("a turn was claimed and not started");
    const { project_id, agent_turn_id, turn_epoch } = row.turn;
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
