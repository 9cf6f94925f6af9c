// What a plan run does next: ONE act, read off its rows and the clock alone, so that a ring, a sweep and a person's decision
// all reach the same result (docs/plans.md).
import { aggregate } from "../aggregate";
import type { BatchStatus } from "../batch";
import { graphOf, type PlanGraph } from "./graph";
import { endAt, isMet, isNotStarted, type NodeState, type PlanState, skipReason } from "./node-end";

export type DecidePlan = PlanState & {
  /** What a node would pass if it started: "turns_max 100 reached: 100 turns"; null = there is room for it, or for every node. */
  limit: ((nodeId: string) => string | null) | null;
  is_stepped: boolean;
  /** The run's own deadline has passed. */
  is_overdue: boolean;
  /** ISO 8601. */
  now: string;
};

type RunEnd = Exclude<BatchStatus, "running">;

export type PlanAct =
  | { act: "adopt"; node_id: string; status: RunEnd }
  | { act: "timeout" }
  | { act: "skip"; node_id: string; reason: string }
  /** It was held, and what it waits for is tried again: a person is asked once that is over. */
  | { act: "reopen"; node_id: string }
  /** `limit`: the limit that `reason` tells of. */
  | { act: "hold"; node_id: string; reason: string; limit: string | null; cause: "hold" | "stepped" | "limit" }
  | { act: "start"; node_id: string }
  | { act: "end"; status: RunEnd }
  /** `until`: the next start that is due by itself. */
  | { act: "wait"; until: string | null };

export function decidePlan(input: DecidePlan): PlanAct {
  const { plan, nodes, is_overdue } = input;
  for (const { id } of plan.nodes) {
    const node = nodes.get(id);
    if (node?.status === "running" && node.batch_status !== null && node.batch_status !== "running")
      return { act: "adopt", node_id: id, status: node.batch_status };
  }
  const open = plan.nodes
    .flatMap(({ id }) => nodes.get(id) ?? [])
    .filter(({ status }) => isNotStarted(status) || status === "running");
  if (is_overdue && open.length > 0) return { act: "timeout" };
  const off = plan.nodes.find(({ id, disabled }) => disabled && isNotStarted(nodes.get(id)?.status));
  if (off) return { act: "skip", node_id: off.id, reason: "skipped: it is switched off" };
  const graph = graphOf(plan);
  const next = skipNext(input, graph) ?? reopenNext(input, graph) ?? startNext(input, graph);
  if (next) return next;
  if (open.length === 0) return { act: "end", status: endStatus(input, graph) };
  const until = nextRetry(input, graph);
  const isStuck = until === null && open.every(({ status }) => status === "waiting") && !hasLate(input);
  return isStuck ? skipStuck(input, graph) : { act: "wait", until };
}

function skipNext(input: DecidePlan, { nodes, into }: PlanGraph): PlanAct | null {
  for (const { id } of nodes) {
    const node = input.nodes.get(id);
    if (!node || !isNotStarted(node.status)) continue;
    if (node.skipped_by !== null) return { act: "skip", node_id: id, reason: `skipped by ${node.skipped_by}` };
    const dead = into.get(id)?.find((track) => isMet(input, track) === false);
    if (dead) return { act: "skip", node_id: id, reason: skipReason(input, dead) };
  }
  return null;
}

function reopenNext(input: DecidePlan, { nodes, into }: PlanGraph): PlanAct | null {
  const held = nodes.find(
    ({ id }) => input.nodes.get(id)?.status === "held" && into.get(id)?.every((track) => isMet(input, track)) === false,
  );
  return held ? { act: "reopen", node_id: held.id } : null;
}

function startNext(input: DecidePlan, { nodes, into }: PlanGraph): PlanAct | null {
  for (const { id, hold } of nodes) {
    const node = input.nodes.get(id);
    if (!node || !isNotStarted(node.status) || isDue(input, node.next_retry_at) === false) continue;
    if (!into.get(id)?.every((track) => isMet(input, track))) continue;
    const held = holdCause(input, id, node, hold);
    if (!held) return { act: "start", node_id: id };
    // A person is asked once. What they let pass, and now would pass a limit that they were not told of, they are asked again.
    if (node.status === "waiting" || node.is_released) return { act: "hold", node_id: id, ...held };
  }
  return null;
}

const isDue = ({ now }: DecidePlan, at: string | null): boolean => at === null || Date.parse(at) <= Date.parse(now);

type Held = Pick<Extract<PlanAct, { act: "hold" }>, "cause" | "reason" | "limit">;

function holdCause(
  { limit: limitOf, is_stepped }: DecidePlan,
  id: string,
  node: NodeState,
  hold: boolean,
): Held | null {
  const limit = node.passes_limit ? null : (limitOf?.(id) ?? null);
  if (node.is_released) return limit === null ? null : { cause: "limit", reason: limit, limit };
  // Whoever lets it start knows that they let it pass a limit too.
  const more = limit === null ? "" : `; ${limit}`;
  if (hold) return { cause: "hold", reason: `hold${more}`, limit };
  if (is_stepped) return { cause: "stepped", reason: `stepped: each node waits for a person${more}`, limit };
  return limit === null ? null : { cause: "limit", reason: limit, limit };
}

/** Of the nodes that wait for nothing but the clock. */
function nextRetry(input: DecidePlan, { nodes, into }: PlanGraph): string | null {
  const times = nodes.flatMap(({ id }) => {
    const node = input.nodes.get(id);
    if (!node || !isNotStarted(node.status) || node.next_retry_at === null || isDue(input, node.next_retry_at))
      return [];
    return into.get(id)?.every((track) => isMet(input, track)) ? [node.next_retry_at] : [];
  });
  return times.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

/** A task that goes on though its fork is over: what waits for that very task has something to wait for. */
const hasLate = ({ nodes }: DecidePlan): boolean =>
  [...nodes.values()].some(({ status, tasks }) => status !== "replayed" && tasks.includes("dispatched"));

/** The check refuses plans that come to this. A run that nobody can end any more would keep its parent waiting for ever. */
function skipStuck(input: DecidePlan, { nodes }: PlanGraph): PlanAct {
  const first = nodes.find(({ id }) => input.nodes.get(id)?.status === "waiting");
  return first
    ? { act: "skip", node_id: first.id, reason: "skipped: nothing that it waits for can end any more" }
    : { act: "wait", until: null };
}

function endStatus(input: DecidePlan, { results }: PlanGraph): RunEnd {
  const ends = results.flatMap((id) => endAt(input, id) ?? []).filter((end) => end !== "skipped");
  const [only] = ends;
  if (only === undefined) return "failed";
  return results.length === 1 ? only : aggregate(ends);
}
