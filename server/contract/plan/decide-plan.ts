// What a plan run does next: ONE act, read off its rows and the clock alone, so that a ring, a sweep and a person's decision
// all reach the same result (docs/plans.md).
import { aggregate } from "../aggregate";
import type { BatchStatus, TaskStatus } from "../batch";
import type { EndStatus } from "../turn";
import { graphOf, type PlanGraph } from "./graph";
import type { After, Plan } from "./plan";
import type { PlanNodeStatus } from "./plan-run";
import { isTaskPlace, nameOf, nodeIdOf } from "./plan-words";

export type NodeState = {
  status: PlanNodeStatus;
  /** ISO 8601; not before this. */
  next_retry_at: string | null;
  /** A person let it start. */
  is_released: boolean;
  /** Who decided, while it was held, that it does not start. */
  skipped_by: string | null;
  headcodes: readonly string[];
  /** Null before its batch. */
  batch_status: BatchStatus | null;
  /** Of its batch, in task order. */
  tasks: readonly TaskStatus[];
  /** How the result that it takes had ended. */
  replayed_as?: EndStatus;
};

export type DecidePlan = {
  plan: Plan;
  nodes: ReadonlyMap<string, NodeState>;
  /** "turns_max 100 reached: 100 turns"; null = there is room. */
  limit: string | null;
  is_stepped: boolean;
  /** The run's own deadline has passed. */
  is_overdue: boolean;
  /** ISO 8601. */
  now: string;
};

export type PlanAct =
  | { act: "adopt"; node_id: string; status: Exclude<BatchStatus, "running"> }
  | { act: "timeout" }
  | { act: "skip"; node_id: string; reason: string }
  | { act: "hold"; node_id: string; reason: string }
  | { act: "start"; node_id: string }
  | { act: "end"; status: Exclude<BatchStatus, "running"> }
  /** `until`: the next start that is due by itself. */
  | { act: "wait"; until: string | null };

export function decidePlan(input: DecidePlan): PlanAct {
  const { plan, nodes, is_overdue, now } = input;
  for (const { id } of plan.nodes) {
    const node = nodes.get(id);
    if (node?.status === "running" && node.batch_status !== null && node.batch_status !== "running")
      return { act: "adopt", node_id: id, status: node.batch_status };
  }
  const isOpen = [...nodes.values()].some(({ status }) => isWaiting(status) || status === "running");
  if (is_overdue && isOpen) return { act: "timeout" };
  const graph = graphOf(plan);
  const off = plan.nodes.find(({ id, disabled }) => disabled && isWaiting(nodes.get(id)?.status));
  if (off) return { act: "skip", node_id: off.id, reason: "skipped: it is switched off" };
  let until: string | null = null;
  for (const { id } of graph.nodes) {
    const node = nodes.get(id);
    if (!node || !isWaiting(node.status)) continue;
    if (node.skipped_by !== null) return { act: "skip", node_id: id, reason: `skipped by ${node.skipped_by}` };
    const tracks = (graph.into.get(id) ?? []).map((track) => ({ track, is_met: isMet(input, track) }));
    const dead = tracks.find(({ is_met }) => is_met === false);
    if (dead) return { act: "skip", node_id: id, reason: deadReason(input, dead.track) };
    if (tracks.some(({ is_met }) => is_met === null)) continue;
    if (node.next_retry_at !== null && Date.parse(node.next_retry_at) > Date.parse(now)) {
      if (until === null || node.next_retry_at < until) until = node.next_retry_at;
      continue;
    }
    if (node.is_released) return { act: "start", node_id: id };
    const reason = holdReason(input, id);
    if (reason === null) return { act: "start", node_id: id };
    if (node.status === "waiting") return { act: "hold", node_id: id, reason };
  }
  return isOpen ? { act: "wait", until } : { act: "end", status: endStatus(input, graph) };
}

const isWaiting = (status: PlanNodeStatus | undefined): boolean => status === "waiting" || status === "held";

function holdReason({ plan, limit, is_stepped }: DecidePlan, id: string): string | null {
  if (plan.nodes.find((node) => node.id === id)?.hold) return "hold";
  if (is_stepped) return "stepped: each node waits for a person";
  return limit;
}

type End = EndStatus | "skipped";
type Waited = { from: string; on: After["on"] };

/** Null = not over yet. */
function endAt({ plan, nodes }: DecidePlan, place: string): End | null {
  const node = nodes.get(nodeIdOf(place));
  if (!node) return null;
  if (node.status === "replayed") return node.replayed_as ?? "success";
  if (isTaskPlace(place) && node.batch_status !== null) {
    const fork = plan.nodes.find(({ id }) => id === nodeIdOf(place));
    const at = fork?.kind === "fork" ? fork.tasks.findIndex(({ id }) => `${fork.id}.${id}` === place) : -1;
    const status = node.tasks[at];
    return status === undefined || status === "pending" || status === "dispatched" ? null : status;
  }
  return isWaiting(node.status) || node.status === "running" ? null : (node.status as End);
}

const meets: Record<After["on"], (end: End) => boolean> = {
  delivered: (end) => end === "success" || end === "partial",
  success: (end) => end === "success",
  failed: (end) => end === "failed" || end === "timeout" || end === "canceled",
  ended: () => true,
};

/** False = it can never be met, as the rows stand; null = not decided yet. */
function isMet(input: DecidePlan, { from, on }: Waited): boolean | null {
  const end = endAt(input, from);
  return end === null ? null : meets[on](end);
}

const wanted: Record<After["on"], string> = {
  delivered: "its result",
  success: "its success",
  failed: "its failure",
  ended: "its end",
};
const ended: Record<End, string> = {
  success: "succeeded",
  partial: "ended partial",
  failed: "failed",
  timeout: "timed out",
  canceled: "was canceled",
  skipped: "was skipped",
};

function deadReason(input: DecidePlan, { from, on }: Waited): string {
  const end = endAt(input, from) ?? "skipped";
  return `skipped: ${placeName(input, from)} ${ended[end]}, and it waits for ${wanted[on]}`;
}

/** A wagon's code, where it is one wagon; else its title. */
function placeName({ plan, nodes }: DecidePlan, place: string): string {
  const drawn = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  const codes = nodes.get(nodeIdOf(place))?.headcodes ?? [];
  if (drawn?.kind !== "fork") return codes[0] ?? (drawn ? nameOf(drawn) : place);
  const at = drawn.tasks.findIndex(({ id }) => `${drawn.id}.${id}` === place);
  const task = drawn.tasks[at];
  return task ? (codes[at] ?? nameOf(task)) : nameOf(drawn);
}

function endStatus(input: DecidePlan, { results }: PlanGraph): Exclude<BatchStatus, "running"> {
  const ends = results.flatMap((id) => endAt(input, id) ?? []).filter((end) => end !== "skipped");
  const [only] = ends;
  if (only === undefined) return "failed";
  return ends.length === 1 ? only : aggregate(ends);
}

/** Nodes that were skipped because of this one, directly or not: they wait again when it is tried again. */
export function followersToReopen(input: Pick<DecidePlan, "plan" | "nodes">, node_id: string): string[] {
  const { nodes, into } = graphOf(input.plan);
  const open = new Set([node_id]);
  for (const { id } of nodes) {
    if (input.nodes.get(id)?.status !== "skipped") continue;
    if ((into.get(id) ?? []).some((track) => open.has(nodeIdOf(track.from)))) open.add(id);
  }
  open.delete(node_id);
  return [...open];
}
