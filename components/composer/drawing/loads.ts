// What a wagon, an ask or a task is given, in the order the model reads it, with the names a person knows. Pure.
import { partsOf } from "@/server/contract/plan/graph";
import type { Fork, Load, Plan, PlanNode, PlanTask, Rider } from "@/server/contract/plan/plan";
import { isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";

/** A box, a card or an input that exists before the launch, drawn once however many load it. */
export type Crate = { id: string; kind: "input" | "box" | "card"; ref: string; readers: string[] };

export type LoadRow = {
  load: Load;
  /** In its own list. */
  index: number;
  /** Who has it in its list: the place itself, or the fork whose tasks all load it. */
  owner: string;
  /** Null = a result of a node. */
  crate: string | null;
  words: string;
};

const crateOf = (load: Load): string | null =>
  "input" in load
    ? `input:${load.input}`
    : "box" in load
      ? `box:${load.box}`
      : "card" in load
        ? `card:${load.card}`
        : null;

/** In order of first use. */
export function cratesOf(plan: Pick<Plan, "nodes">): Crate[] {
  const crates = new Map<string, Crate>();
  const add = (place: string, loads: readonly Load[]) => {
    for (const load of loads) {
      const id = crateOf(load);
      if (id === null) continue;
      const [kind = "", ref = ""] = id.split(":");
      const crate = crates.get(id) ?? { id, kind: kind as Crate["kind"], ref, readers: [] };
      if (!crate.readers.includes(place)) crate.readers.push(place);
      crates.set(id, crate);
    }
  };
  for (const node of plan.nodes) {
    add(node.id, node.load);
    if (node.kind === "fork") for (const task of node.tasks) add(`${node.id}.${task.id}`, task.load);
  }
  return [...crates.values()];
}

/** Whether each place loads what it loaded: then the crates and their readers are the same. */
export function hasSameLoads(a: Pick<Plan, "nodes">, b: Pick<Plan, "nodes">): boolean {
  return (
    a.nodes === b.nodes ||
    (a.nodes.length === b.nodes.length && a.nodes.every((node, i) => isSameLoad(node, b.nodes[i])))
  );
}

function isSameLoad(a: PlanNode, b: PlanNode | undefined): boolean {
  if (a === b) return true;
  if (b === undefined || a.id !== b.id || a.load !== b.load) return false;
  if (a.kind !== "fork" || b.kind !== "fork") return a.kind === b.kind;
  return a.tasks.length === b.tasks.length && a.tasks.every((task, i) => isSameTask(task, b.tasks[i]));
}

const isSameTask = (a: PlanTask, b: PlanTask | undefined): boolean => a.id === b?.id && a.load === b.load;

/** Those of its fork first. */
export function loadRowsOf(plan: Plan, place: string): { fork: Fork | null; rows: LoadRow[] } {
  const parts = partsOf(plan);
  const part = parts.get(place);
  if (!part) return { fork: null, rows: [] };
  const outer = isTaskPlace(place) ? parts.get(nodeIdOf(place)) : undefined;
  const fork = outer && "tasks" in outer ? outer : null;
  const rowsOf = (owner: string, loads: readonly Load[]) =>
    loads.map((load, index): LoadRow => ({ load, index, owner, crate: crateOf(load), words: loadWords(plan, load) }));
  return { fork, rows: [...(fork ? rowsOf(fork.id, fork.load) : []), ...rowsOf(place, part.load)] };
}

const taken = { deliverable: "deliverable", output: "output box", summary: "summary of the join" } as const;

export function loadWords(plan: Pick<Plan, "nodes">, load: Load): string {
  if ("input" in load) return `Input ${load.input}`;
  if ("box" in load) return `Box ${plate(load.box)}`;
  if ("card" in load) return `Card ${plate(load.card)}`;
  const part = partsOf(plan).get(load.from);
  const many = part !== undefined && "tasks" in part;
  const what =
    many && load.take === "deliverable"
      ? "deliverables"
      : many && load.take === "output"
        ? "output boxes"
        : taken[load.take];
  return `${part ? nameOf(part) : load.from}, ${what}`;
}

/** As boxes and cards are called all over: the last four of their id. */
export const plate = (id: string): string => id.slice(-4).toUpperCase();

/** "Associate_Search", "the agent of Fix the frame", "no target" */
export function targetWords(plan: Pick<Plan, "nodes">, { target }: Pick<Rider, "target">): string {
  if (!target) return "no target";
  if (!target.ref.startsWith("@")) return target.ref;
  const part = partsOf(plan).get(target.ref.slice(1));
  const name = part ? nameOf(part) : target.ref.slice(1);
  return target.strategy === "clone" ? `copy of ${name}` : `${name} again`;
}
