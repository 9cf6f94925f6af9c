// What gestures mean as operations. Mouse, keys, menus and lists all call these, so that they cannot differ. Pure.

import { partsOf } from "@/server/contract/plan/graph";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { freeId } from "@/server/contract/plan/parse-plan";
import {
  Ask,
  type Berth,
  Fork,
  type Load,
  type Plan,
  type PlanNode,
  PlanTask,
  type Target,
  Wagon,
} from "@/server/contract/plan/plan";
import { isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";
import type { Change } from "./drawing-store";

export type Made = { kind: "wagon" | "ask" | "fork"; target?: Target; title?: string; instruction?: string };

const idsIn = (plan: Plan): Set<string> => new Set(plan.nodes.map(({ id }) => id));

/** The words that an id is minted from. */
const wordsOf = ({ kind, target, title }: Made): string => title ?? (target ? target.ref.replace(/^@/, "") : kind);

function nodeOf(plan: Plan, made: Made): PlanNode {
  const id = freeId(wordsOf(made), idsIn(plan));
  const given = {
    id,
    ...(made.title !== undefined && { title: made.title }),
    ...(made.target && { target: made.target }),
    ...(made.instruction !== undefined && { instruction: made.instruction }),
  };
  if (made.kind === "ask") return Ask.parse({ kind: "ask", ...given });
  if (made.kind === "wagon") return Wagon.parse({ kind: "wagon", ...given });
  const task = (n: number) => PlanTask.parse({ id: `task-${n}`, ...(made.target && { target: made.target }) });
  return Fork.parse({
    kind: "fork",
    id,
    ...(made.title !== undefined && { title: made.title }),
    tasks: [1, 2, 3].map(task),
  });
}

/** Adds a node; `behind` = a node or fork.task that it waits for and whose deliverable it loads. */
export function adding(plan: Plan, made: Made, { behind, at }: { behind?: string; at?: Berth } = {}): Change {
  const node = nodeOf(plan, made);
  const ops: PlanOpInput[] = [{ op: "add_node", node }];
  if (behind !== undefined) ops.push({ op: "add_load", to: node.id, load: { from: behind, take: "deliverable" } });
  if (at) ops.push({ op: "place", places: { [node.id]: at } });
  const select = node.kind === "fork" ? `${node.id}.${node.tasks[0]?.id ?? ""}` : node.id;
  return { label: `${nameOf(node)} added`, ops, select: [select] };
}

/** In front of a node: it takes over what that node waited for by its tracks, and the node waits for it. */
export function addingBefore(plan: Plan, made: Made, place: string): Change {
  const before = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  if (!before) return adding(plan, made);
  const node = nodeOf(plan, made);
  const ops: PlanOpInput[] = [
    { op: "add_node", node, at: plan.nodes.indexOf(before) },
    ...before.after.flatMap((track): PlanOpInput[] => [
      { op: "add_track", to: node.id, track },
      { op: "remove_track", to: before.id, track },
    ]),
    ...before.load.flatMap((load): PlanOpInput[] =>
      "from" in load
        ? [
            { op: "add_load", to: node.id, load },
            { op: "remove_load", to: before.id, load },
          ]
        : [],
    ),
    { op: "add_load", to: before.id, load: { from: node.id, take: "deliverable" } },
  ];
  return { label: `${nameOf(node)} added before ${nameOf(before)}`, ops, select: [node.id] };
}

/** Into a track: what it led to waits for the new node, and that for where the track came from. */
export function splicing(plan: Plan, made: Made, track: { from: string | null; to: string }): Change {
  const after = plan.nodes.find(({ id }) => id === track.to);
  if (!after || track.from === null) return after ? addingBefore(plan, made, after.id) : adding(plan, made);
  const node = nodeOf(plan, made);
  const { from } = track;
  const ops: PlanOpInput[] = [
    { op: "add_node", node, at: plan.nodes.indexOf(after) },
    { op: "add_load", to: node.id, load: { from, take: "deliverable" } },
    ...after.after
      .filter((one) => one.node === from)
      .map((one): PlanOpInput => ({ op: "remove_track", to: after.id, track: one })),
    ...after.load.flatMap((load): PlanOpInput[] =>
      "from" in load && load.from === from ? [{ op: "remove_load", to: after.id, load }] : [],
    ),
    { op: "add_load", to: after.id, load: { from: node.id, take: "deliverable" } },
  ];
  return { label: `${nameOf(node)} added between`, ops, select: [node.id] };
}

/** To a fork; to a wagon: it becomes a fork of two. */
export function addingTask(plan: Plan, place: string, made: Made | null): Change {
  const node = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  if (!node) return adding(plan, { kind: "fork" });
  if (node.kind === "fork") {
    const like = node.tasks.at(-1);
    const target = made?.target ?? like?.target;
    const id = freeId(
      made ? wordsOf(made) : `task-${node.tasks.length + 1}`,
      new Set(node.tasks.map((task) => task.id)),
    );
    const task = PlanTask.parse({
      id,
      ...(target && { target }),
      ...(made?.title !== undefined && { title: made.title }),
    });
    return {
      label: `Task added to ${nameOf(node)}`,
      ops: [{ op: "add_task", fork: node.id, task }],
      select: [`${node.id}.${id}`],
    };
  }
  const { id, kind: _kind, title, after, load, hold, disabled, deadline_seconds, ...given } = node;
  const first = PlanTask.parse({ id: "task-1", ...(title !== undefined && { title }), ...given });
  const second = PlanTask.parse({ id: "task-2", ...(given.target && { target: made?.target ?? given.target }) });
  const gate = { fail_fast: false, ...(deadline_seconds !== undefined && { deadline_seconds }) };
  // What it was given is given to both.
  const fork = Fork.parse({ kind: "fork", id, after, load, hold, disabled, tasks: [first, second], gate });
  return {
    label: `${nameOf(node)} split into two parallel tasks`,
    ops: [{ op: "set", node: id, path: "", value: fork as never }],
    select: [`${id}.task-2`],
  };
}

/** Beside a node: asked after what that waits for, read by what follows it; where nothing does, by the node itself. */
export function askingBeside(plan: Plan, made: Made, place: string): Change {
  const index = plan.nodes.findIndex(({ id }) => id === nodeIdOf(place));
  const beside = plan.nodes[index];
  const node = nodeOf(plan, { ...made, kind: "ask" });
  if (!beside) return adding(plan, { ...made, kind: "ask" });
  const sources = new Set(writtenTracks(beside, index).map(({ from }) => from));
  const readers = plan.nodes.filter((other, i) =>
    writtenTracks(other, i).some(({ from }) => nodeIdOf(from) === beside.id),
  );
  const ops: PlanOpInput[] = [
    { op: "add_node", node, at: index },
    ...[...sources].map((from): PlanOpInput => ({ op: "add_load", to: node.id, load: { from, take: "deliverable" } })),
    ...(readers.length > 0 ? readers : [beside]).map(
      ({ id }): PlanOpInput => ({ op: "add_load", to: id, load: { from: node.id, take: "deliverable" } }),
    ),
  ];
  return { label: `${nameOf(node)} asked beside ${nameOf(beside)}`, ops, select: [node.id] };
}

export type Carried = "deliverable" | "output" | "summary" | "order";

/** A track with what travels on it. */
export function coupling(plan: Plan, from: string, to: string, carried: Carried = "deliverable"): Change {
  const label = `${named(plan, from)} to ${named(plan, to)}`;
  if (carried === "order")
    return { label, ops: [{ op: "add_track", to: nodeIdOf(to), track: { node: from } }], select: [to] };
  return { label, ops: [{ op: "add_load", to, load: { from, take: carried } }], select: [to] };
}

export const loading = (plan: Plan, to: string, load: Load, at?: number): Change => ({
  label: `Added to what ${named(plan, to)} loads`,
  ops: [{ op: "add_load", to, load, ...(at !== undefined && { at }) }],
  select: [to],
});

/** A track and every load that makes it. */
export function uncoupling(plan: Plan, from: string, to: string): Change {
  const node = plan.nodes.find(({ id }) => id === to);
  const parts = node
    ? [node, ...(node.kind === "fork" ? node.tasks.map((task) => ({ ...task, id: `${node.id}.${task.id}` })) : [])]
    : [];
  const ops: PlanOpInput[] = [
    ...(node?.after ?? [])
      .filter((one) => one.node === from)
      .map((track): PlanOpInput => ({ op: "remove_track", to, track })),
    ...parts.flatMap((part) =>
      part.load.flatMap((load): PlanOpInput[] =>
        "from" in load && (load.from === from || (load.take === "summary" && nodeIdOf(load.from) === from))
          ? [{ op: "remove_load", to: part.id, load }]
          : [],
      ),
    ),
  ];
  return { label: `${named(plan, from)} no longer leads to ${named(plan, to)}`, ops, select: [to] };
}

/** Nodes, tasks and notes; of a fork whose tasks all go, the fork. */
export function removing(plan: Plan, selection: readonly string[]): Change {
  const notes = selection.filter((id) => id.startsWith("note:")).map((id) => id.slice(5));
  const gone = new Set(selection.map((id) => (id.startsWith("gate:") ? id.slice(5) : id)));
  for (const node of plan.nodes)
    if (node.kind === "fork" && node.tasks.length > 0 && node.tasks.every(({ id }) => gone.has(`${node.id}.${id}`)))
      gone.add(node.id);
  const parts = partsOf(plan);
  const places = [...gone].filter((place) => parts.has(place) && !(isTaskPlace(place) && gone.has(nodeIdOf(place))));
  const first = parts.get(places[0] ?? "");
  const label =
    places.length === 1 && first ? `${nameOf(first)} taken away` : `${places.length + notes.length} taken away`;
  return {
    label,
    ops: [
      ...places.map((node): PlanOpInput => ({ op: "remove_node", node })),
      ...notes.map((note): PlanOpInput => ({ op: "remove_note", note })),
    ],
    select: neighbour(plan, places),
  };
}

/** Where the selection goes when what it was on is gone: to what that waited for. */
function neighbour(plan: Plan, places: readonly string[]): string[] {
  const gone = new Set(places);
  for (const place of places) {
    const index = plan.nodes.findIndex(({ id }) => id === nodeIdOf(place));
    const node = plan.nodes[index];
    if (!node) continue;
    if (isTaskPlace(place) && node.kind === "fork") {
      const at = node.tasks.findIndex(({ id }) => `${node.id}.${id}` === place);
      const next = [...node.tasks.slice(0, at).reverse(), ...node.tasks.slice(at + 1)].find(
        ({ id }) => !gone.has(`${node.id}.${id}`),
      );
      if (next) return [`${node.id}.${next.id}`];
    }
    const source = writtenTracks(node, index).find(({ from }) => !gone.has(from) && !gone.has(nodeIdOf(from)));
    if (source) return [source.from];
  }
  return [];
}

/** One field of a node, a task, or the plan. */
export const setting = (
  plan: Plan,
  place: string | null,
  path: string,
  value: unknown,
  words: string,
  isTyped = false,
): Change => ({
  label: place === null ? words : `${named(plan, place)}: ${words}`,
  ops: [
    {
      op: "set",
      ...(place !== null && { node: place }),
      path,
      ...(value !== undefined && { value: value as never }),
    },
  ],
  ...(isTyped && { key: `${place ?? ""} ${path}` }),
});

/** Switches a field of all of them; mixed = on. */
export function toggling(plan: Plan, selection: readonly string[], field: "hold" | "disabled"): Change | null {
  const ids = [...new Set(selection.map((id) => nodeIdOf(id.replace(/^gate:/, ""))))];
  const nodes = plan.nodes.filter(({ id }) => ids.includes(id));
  if (nodes.length === 0) return null;
  const value = !nodes.every((node) => node[field]);
  const words = field === "hold" ? (value ? "hold" : "no hold") : value ? "switched off" : "switched on";
  const label = nodes.length === 1 && nodes[0] ? `${nameOf(nodes[0])}: ${words}` : `${nodes.length}: ${words}`;
  return { label, ops: nodes.map(({ id }) => ({ op: "set", node: id, path: `/${field}`, value })) };
}

export function named(plan: Plan, place: string): string {
  const part = partsOf(plan).get(place);
  return part ? nameOf(part) : place;
}
