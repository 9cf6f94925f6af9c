// What the wagons of a node are given, as ids in the order of the drawing: inputs, boxes and cards as they are, results of
// nodes before it as the cards and boxes that they left. Results travel as cards, never as text.

import { canonicalJson } from "@/server/contract/canonical-json";
import { type CardContent, JOIN_CARD } from "@/server/contract/card";
import { INSTRUCTION_BYTES_MAX } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { Load, Plan, PlanNode, Rider } from "@/server/contract/plan/plan";
import { isTaskPlace, nodeIdOf } from "@/server/contract/plan/plan-words";
import { sha256 } from "../cardbox/canonical-json";
import type { NodeStanding, NodeTask } from "./lock-plan";
import type { GivenInput } from "./plan-row";

export type LoadItem = { box_id: string } | { card_id: string };
/** `summary`: a card that is still to be made, of the join of this node. */
export type ResolvedLoad = LoadItem | { summary_of: string };
/** What a task left that did not deliver: a line of the receipt. */
export type LeftOut = { card_id: string; reason: string };

export type Given = { plan: Plan; nodes: ReadonlyMap<string, NodeStanding>; inputs: Record<string, GivenInput> };

const hasDelivered = ({ status }: NodeTask): boolean => status === "success" || status === "partial";

/** The frame's load first, then its own: siblings share their beginning. */
export function resolveLoad(
  given: Given,
  node: PlanNode,
  rider: Rider,
): { items: ResolvedLoad[]; left_out: LeftOut[] } {
  const entries = node.kind === "fork" ? [...node.load, ...rider.load] : rider.load;
  const found = entries.map((entry) => resolveEntry(given, node, entry));
  return { items: found.flatMap(({ items }) => items), left_out: found.flatMap(({ left_out }) => left_out ?? []) };
}

type Found = { items: ResolvedLoad[]; left_out?: LeftOut[] };

export function resolveEntry({ plan, nodes, inputs }: Given, node: PlanNode, entry: Load): Found {
  if ("box" in entry) return { items: [{ box_id: entry.box }] };
  if ("card" in entry) return { items: [{ card_id: entry.card }] };
  if ("input" in entry) {
    const input = inputs[entry.input];
    if (input === undefined) return { items: [] };
    return { items: [input.box_id === undefined ? { card_id: input.card_id } : { box_id: input.box_id }] };
  }
  const source = nodeIdOf(entry.from);
  const standing = nodes.get(source);
  const drawn = plan.nodes.find(({ id }) => id === source);
  if (!standing || !drawn || drawn.disabled) return { items: [] };
  if (entry.take === "summary") return { items: [{ summary_of: source }] };
  const tasks = tasksOf(drawn, standing, entry.from);
  // Behind `on: failed` or `ended` the fallback deliverable is loaded: it says what happened.
  const wantsFailures = node.after.some(
    ({ node: from, on }) => from === entry.from && (on === "failed" || on === "ended"),
  );
  const taken = tasks.filter(({ task }) => hasDelivered(task) || wantsFailures);
  const items = taken.flatMap(({ task }): LoadItem[] => {
    if (entry.take === "output") return task.output_box_id === null ? [] : [{ box_id: task.output_box_id }];
    return task.deliverable_card_id === null ? [] : [{ card_id: task.deliverable_card_id }];
  });
  const left_out = tasks
    .filter((one) => !taken.includes(one))
    .flatMap(({ place, task }): LeftOut[] =>
      task.deliverable_card_id === null
        ? []
        : [{ card_id: task.deliverable_card_id, reason: `${place} ${endWords(task.status)}` }],
    );
  return { items, left_out };
}

const endWords = (status: NodeTask["status"]): string =>
  status === "timeout" ? "timed out" : status === "canceled" ? "was canceled" : status;

function tasksOf(drawn: PlanNode, { tasks }: NodeStanding, from: string): { place: string; task: NodeTask }[] {
  const placed = (tasks ?? []).map((task) => {
    const id = drawn.kind === "fork" ? drawn.tasks[task.task_index]?.id : undefined;
    return { place: id === undefined ? drawn.id : `${drawn.id}.${id}`, task };
  });
  // What came after the gate had closed is no part of the fork's result, however early its follower looks.
  return isTaskPlace(from) ? placed.filter(({ place }) => place === from) : placed.filter(({ task }) => !task.is_late);
}

/** What a card with the join of a node says: as a parent that forked would read it. */
export function summaryContent({ node_id, status, tasks }: NodeStanding): CardContent {
  const results = (tasks ?? [])
    .filter(({ is_late }) => !is_late)
    .map((task) => ({
      task_index: task.task_index,
      status: task.status,
      ...(task.summary !== null && { summary: task.summary }),
      ...(task.output_box_id !== null && { output_box_id: task.output_box_id }),
    }));
  return { kind: "json", data: { kind: "join", node: node_id, status, results } };
}

/** One card for one join, whoever loads it and in whichever run: what is loaded again is known to be the same. */
export const summaryCardId = (node: NodeStanding): string =>
  `${JOIN_CARD}${sha256(canonicalJson(summaryContent(node))).slice(0, 32)}`;

const INPUT = /\{input\.([a-z][a-z0-9_]{0,39})\}/g;

const textOf = (inputs: Record<string, GivenInput>, name: string): string | undefined =>
  Object.hasOwn(inputs, name) ? inputs[name]?.text : undefined;

/** How long the instruction is with its inputs, without writing it: one that names a long text a thousand times fits nowhere. */
export function filledLength(instruction: string, inputs: Record<string, GivenInput>): number {
  let length = instruction.length;
  for (const [whole, name = ""] of instruction.matchAll(INPUT)) {
    const text = textOf(inputs, name);
    if (text !== undefined) length += text.length - whole.length;
  }
  return length;
}

/** All instructions that are held at once: those of a fork, or of a whole plan that is checked. */
export const FILLED_MAX = 67_108_864;

/** `{input.name}` of text inputs is filled in; every other brace is left alone. bad_request for what would be too long. */
export function fillInputs(instruction: string, inputs: Record<string, GivenInput>): string {
  if (filledLength(instruction, inputs) > INSTRUCTION_BYTES_MAX)
    throw new KernelError(
      "bad_request",
      "the instruction is over 1 MiB with its inputs; load the text as a card instead",
      { path: "instruction" },
    );
  return instruction.replace(INPUT, (whole: string, name: string) => textOf(inputs, name) ?? whole);
}

/** `@node` or `@fork.task` = the agent that this wagon ran on. */
export function agentOf(given: Pick<Given, "plan" | "nodes">, ref: string): string | null {
  if (!ref.startsWith("@")) return ref;
  const place = ref.slice(1);
  const drawn = given.plan.nodes.find(({ id }) => id === nodeIdOf(place));
  const standing = given.nodes.get(nodeIdOf(place));
  if (!drawn || !standing) return null;
  return tasksOf(drawn, standing, place)[0]?.task.agent_id ?? null;
}
