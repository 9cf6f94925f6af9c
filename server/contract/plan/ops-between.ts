// The operations from one plan to another. Each is applied as it is found, so the next one sees what it has to start from.
// Nodes come and go before anything refers to them: a draft may hold circles, so no order of nodes alone would do.
import { sameJson } from "../same-json";
import { applyOp } from "./apply-op";
import { changedFields } from "./changed-fields";
import { entrySteps } from "./entry-steps";
import type { PlanOp } from "./op";
import { orderSteps } from "./order-steps";
import { partAt } from "./parts";
import type { Fork, Plan, PlanNode, PlanTask } from "./plan";
import { idsOf } from "./plan-words";
import { nodeWith, type Renaming, riderWith } from "./references";

export function opsBetween(from: Plan, to: Plan): PlanOp[] {
  const ops: PlanOp[] = [];
  let now = from;
  const act = (op: PlanOp): void => {
    const next = applyOp(now, op);
    if ("refusal" in next) throw new Error(`${op.op} of a difference was refused: ${next.refusal.message}`);
    ops.push(op);
    now = next.plan;
  };
  remove();
  add();
  for (const node of to.nodes) {
    if (sameJson(partAt(now, node.id)?.node, node)) continue;
    setFields(node, node.id);
    setTracks(node);
    setLoad(node, node.id);
    for (const task of tasksOf(node)) {
      setFields(task, `${node.id}.${task.id}`);
      setLoad(task, `${node.id}.${task.id}`);
    }
  }
  for (const [field, value] of changes(now, to, ["nodes", "layout"])) act(setOp(undefined, field, value));
  setNotes();
  setPlaces();
  return ops;

  function remove(): void {
    const kept = new Map(to.nodes.map((node) => [node.id, node]));
    for (const node of from.nodes) {
      const next = kept.get(node.id);
      if (!next) {
        act({ op: "remove_node", node: node.id });
        continue;
      }
      const tasks = new Set(tasksOf(next).map(({ id }) => id));
      for (const { id } of tasksOf(node)) if (!tasks.has(id)) act({ op: "remove_node", node: `${node.id}.${id}` });
      if (node.kind === next.kind) continue;
      const isOtherShape = node.kind === "fork" || next.kind === "fork";
      if (isOtherShape) act({ op: "set", node: node.id, path: "", value: { kind: next.kind, id: node.id } });
      else act({ op: "set", node: node.id, path: "/kind", value: next.kind });
    }
  }

  function add(): void {
    const nodes = new Map(to.nodes.map((node) => [node.id, node]));
    for (const { id, at, is_new } of orderSteps(ids(now.nodes), ids(to.nodes))) {
      const node = nodes.get(id);
      if (node && is_new) act({ op: "add_node", node: nodeWith(node, ifThere(node)), at });
      else act({ op: "move_node", node: id, at });
    }
    for (const node of to.nodes) {
      if (node.kind !== "fork") continue;
      const tasks = new Map(tasksOf(node).map((task) => [task.id, task]));
      const there = partAt(now, node.id)?.node;
      for (const { id, at, is_new } of orderSteps(ids(there ? tasksOf(there) : []), [...tasks.keys()])) {
        const task = tasks.get(id);
        if (task && is_new) act({ op: "add_task", fork: node.id, task: riderWith(task, ifThere()), at });
        else act({ op: "move_task", task: `${node.id}.${id}`, at });
      }
    }
  }

  /** What is added later is referred to later. */
  function ifThere(own?: PlanNode): Renaming {
    const places = new Set([...idsOf(now), ...(own ? idsOf({ nodes: [own] }) : [])]);
    return (place) => (places.has(place) ? place : null);
  }

  function setFields(want: PlanNode | PlanTask, place: string): void {
    const part = partAt(now, place);
    if (!part) return;
    for (const [field, value] of changes(part.task ?? part.node, want, ["after", "load", "tasks"]))
      act(setOp(place, field, value));
  }

  function setTracks(want: PlanNode): void {
    const there = partAt(now, want.id)?.node.after ?? [];
    const to = want.id;
    for (const step of entrySteps(there, want.after)) {
      const { entry: track } = step;
      if (step.what !== "add") act({ op: "remove_track", to, track, index: step.index });
      if (step.what !== "remove") act({ op: "add_track", to, track, at: step.at });
    }
  }

  function setLoad(want: PlanNode | PlanTask, to: string): void {
    const part = partAt(now, to);
    for (const step of entrySteps((part?.task ?? part?.node)?.load ?? [], want.load)) {
      const { entry: load } = step;
      if (step.what === "remove") act({ op: "remove_load", to, load, index: step.index });
      else if (step.what === "add") act({ op: "add_load", to, load, at: step.at });
      else act({ op: "move_load", to, load, index: step.index, at: step.at });
    }
  }

  function setNotes(): void {
    const want = new Map(to.layout.notes.map((note) => [note.id, note]));
    for (const { id } of now.layout.notes) if (!want.has(id)) act({ op: "remove_note", note: id });
    for (const { id, at, is_new } of orderSteps(ids(now.layout.notes), [...want.keys()])) {
      const note = want.get(id);
      if (!is_new) act({ op: "remove_note", note: id });
      if (note) act({ op: "add_note", note, at });
    }
    for (const [i, note] of to.layout.notes.entries())
      if (!sameJson(now.layout.notes[i], note)) act({ op: "set_note", note });
  }

  function setPlaces(): void {
    const [was, want] = [now.layout.places, to.layout.places];
    const places = Object.fromEntries(changedFields(was, want).map((place) => [place, want[place] ?? null]));
    if (Object.keys(places).length > 0) act({ op: "place", places });
  }
}

const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
const tasksOf = (node: PlanNode): Fork["tasks"] => (node.kind === "fork" ? node.tasks : []);

const setOp = (node: string | undefined, field: string, value: unknown): PlanOp =>
  ({
    op: "set",
    ...(node !== undefined && { node }),
    path: `/${field}`,
    ...(value !== undefined && { value }),
  }) as PlanOp;

/** What is taken away comes first: a recipe and a hand-over are never together. */
function changes(from: object, to: object, not: string[]): [string, unknown][] {
  const want = to as Record<string, unknown>;
  return changedFields(from, to)
    .filter((field) => !not.includes(field))
    .map((field): [string, unknown] => [field, want[field]])
    .sort(([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined));
}
