// A run's moments, made of its rows as they are now: when something was created, started and ended. For runs whose frames the journal
// does not have. What rows do not date is left out until the turn's end, for a guess would pass for a record. What it wrote its cards date.
import type { BatchFrame, Frame, HumanRequestFrame, PlanNodeFrame, PlanRunFrame, TurnFrame } from "./frame";
import type { HistoryFrame } from "./run-history";
import { type DatedCard, type DatedStep, type Moment, timeOf, turnMoments, type Wait } from "./turn-moments";

export type StepsOfTurns = ReadonlyMap<string, readonly DatedStep[]>;
export type CardsOfTurns = ReadonlyMap<string, readonly DatedCard[]>;

/** `frames`: all of the run as they are now. In the order of time; of each entity the last is the frame as it is now. */
export function toldByTimes(
  frames: readonly Frame[],
  steps: StepsOfTurns,
  cards: CardsOfTurns = new Map(),
): HistoryFrame[] {
  const ground = groundOf(frames);
  const told = frames.flatMap((frame): HistoryFrame[] => {
    if (frame.kind === "turn")
      return numbered(
        frame,
        turnMoments(frame, {
          steps: steps.get(frame.id) ?? [],
          waits: ground.waits.get(frame.id) ?? [],
          cards: cards.get(frame.id) ?? [],
        }),
      );
    if (frame.kind === "batch") return numbered(frame, batchMoments(frame, ground));
    if (frame.kind === "plan_run") return numbered(frame, planMoments(frame));
    if (frame.kind === "plan_node") return numbered(frame, nodeMoments(frame, ground));
    if (frame.kind === "human_request") return numbered(frame, requestMoments(frame));
    return [{ at: bornAt(frame, ground), frame }];
  });
  return told.toSorted((a, b) => a.at - b.at);
}

/** Below the frame's own rev, so that the last of them is the frame itself. */
const numbered = <F extends Frame>(now: F, before: Moment<F>[]): HistoryFrame[] =>
  before.map(({ at, frame }, i) => ({
    at,
    frame: frame === now ? now : { ...frame, rev: now.rev - before.length + 1 + i },
  }));

/** Looked up by others: once through the frames for all of them. */
type Ground = {
  /** By the turn that waits. */
  waits: Map<string, Wait[]>;
  /** Of batches and plans, by kind and id. */
  born: Map<string, number>;
  /** By batch. */
  branches: Map<string, TurnFrame[]>;
};

function groundOf(frames: readonly Frame[]): Ground {
  const ground: Ground = { waits: new Map(), born: new Map(), branches: new Map() };
  for (const frame of frames) {
    if (frame.kind === "batch") put(ground.waits, frame.parent_agent_turn_id, waitOf(frame.created_at, frame.ended_at));
    if (frame.kind === "human_request")
      put(ground.waits, frame.agent_turn_id, waitOf(frame.created_at, frame.decided_at));
    if (frame.kind === "batch" || frame.kind === "plan_run")
      ground.born.set(`${frame.kind} ${frame.id}`, Date.parse(frame.created_at));
    if (frame.kind === "turn" && frame.batch_id !== undefined) put(ground.branches, frame.batch_id, frame);
  }
  return ground;
}

function put<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

const waitOf = (from: string, to: string | undefined): Wait => ({ from: Date.parse(from), to: timeOf(to) });

function batchMoments(batch: BatchFrame, ground: Ground): Moment<BatchFrame>[] {
  const born = Date.parse(batch.created_at);
  if (batch.ended_at === undefined) return [{ at: born, frame: batch }];
  const open: BatchFrame = {
    ...batch,
    status: "running",
    ended_at: undefined,
    closed_by: undefined,
    ...(batch.arrivals && { arrivals: [], late: [] }),
  };
  const moments = [{ at: born, frame: open }];
  for (const { at, task_index } of batch.arrivals ? arrivalsOf(batch, ground) : []) {
    const last = moments.at(-1)?.frame ?? open;
    moments.push({ at, frame: { ...last, arrivals: [...(last.arrivals ?? []), task_index] } });
  }
  return [...moments, { at: Date.parse(batch.ended_at), frame: batch }];
}

/** Arrivals before the end, by when their turns ended. */
function arrivalsOf(batch: BatchFrame, { branches }: Ground): { at: number; task_index: number }[] {
  const arrived = new Set(batch.arrivals);
  const end = Date.parse(batch.ended_at ?? "");
  return (branches.get(batch.batch_id) ?? [])
    .flatMap(({ task_index, ended_at }) => {
      const at = timeOf(ended_at);
      if (task_index === undefined || at === undefined || !arrived.has(task_index)) return [];
      return at < end ? [{ at, task_index }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
}

function planMoments(plan: PlanRunFrame): Moment<PlanRunFrame>[] {
  const born = Date.parse(plan.created_at);
  if (plan.ended_at === undefined) return [{ at: born, frame: plan }];
  return [
    { at: born, frame: { ...plan, status: "running", ended_at: undefined } },
    { at: Date.parse(plan.ended_at), frame: plan },
  ];
}

function nodeMoments(node: PlanNodeFrame, ground: Ground): Moment<PlanNodeFrame>[] {
  const { started_at, ended_at } = node;
  const born = bornAt(node, ground);
  const waiting: PlanNodeFrame = {
    ...node,
    status: "waiting",
    started_at: undefined,
    ended_at: undefined,
    batch_id: undefined,
    request_id: undefined,
    reason: undefined,
    error_code: undefined,
  };
  const moments: Moment<PlanNodeFrame>[] = [{ at: born, frame: waiting }];
  if (started_at !== undefined)
    moments.push({
      at: Date.parse(started_at),
      frame: ended_at === undefined ? node : { ...waiting, status: "running", started_at, batch_id: node.batch_id },
    });
  if (ended_at !== undefined) moments.push({ at: Date.parse(ended_at), frame: node });
  // Held, or recorded by another run: nothing dates it, so it is as it is now.
  if (started_at === undefined && ended_at === undefined) return [{ at: born, frame: node }];
  return moments;
}

function requestMoments(request: HumanRequestFrame): Moment<HumanRequestFrame>[] {
  const born = Date.parse(request.created_at);
  if (request.decided_at === undefined) return [{ at: born, frame: request }];
  return [
    {
      at: born,
      frame: {
        ...request,
        status: "open",
        decided_by: undefined,
        decided_at: undefined,
        decision_card_id: undefined,
        reason: undefined,
        is_edited: false,
      },
    },
    { at: Date.parse(request.decided_at), frame: request },
  ];
}

/** What has no time of its own came with what it belongs to. */
function bornAt(frame: Frame, { born }: Ground): number {
  if (frame.kind === "alarm") return Date.parse(frame.found_at);
  if (frame.kind === "batch_task") return born.get(`batch ${frame.batch_id}`) ?? Number.NEGATIVE_INFINITY;
  if (frame.kind === "plan_node") return born.get(`plan_run ${frame.plan_run_id}`) ?? Number.NEGATIVE_INFINITY;
  const at = "created_at" in frame ? timeOf(frame.created_at) : undefined;
  return at ?? Number.NEGATIVE_INFINITY;
}
