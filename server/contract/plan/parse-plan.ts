// A plan as a person, a file or an agent wrote it: ids are minted, defaults filled in, and the first thing wrong is named.
import { isRecord } from "../is-record";
import { shapeFault } from "../shape-fault";
import { NODE_ID, NODES_MAX, type Plan, PlanShape, TASKS_MAX } from "./plan";
import { idsOf, titleOf } from "./plan-words";

export type PlanFault = { path: string; message: string };

export function parsePlan(body: unknown): { plan: Plan } | { fault: PlanFault } {
  const parsed = PlanShape.safeParse(withIds(body));
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const fault = referenceFault(parsed.data);
  return fault ? { fault } : { plan: withoutLostPlaces(parsed.data) };
}

/** The berth of a node that a person took out of the text. */
function withoutLostPlaces(plan: Plan): Plan {
  const ids = new Set(idsOf(plan));
  const places = Object.entries(plan.layout.places);
  const kept = places.filter(([place]) => ids.has(place));
  return kept.length === places.length
    ? plan
    : { ...plan, layout: { ...plan.layout, places: Object.fromEntries(kept) } };
}

/** Nodes and tasks without a kind are wagons; those without an id get one from their title. Anything odd is left to the schema. */
export function withIds(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body.nodes)) return body;
  // One too many is enough to be refused.
  const nodes = body.nodes.slice(0, NODES_MAX + 1);
  const taken = idsIn(nodes);
  return { ...body, nodes: nodes.map((node) => nodeOf(node, taken)) };
}

/** `next`: by the words of a title, the number from which the next id of these words is looked for. */
type Taken = { ids: Set<string>; next: Map<string, number> };

const idsIn = (parts: readonly unknown[]): Taken => ({
  ids: new Set(parts.map((part) => (isRecord(part) ? part.id : undefined)).filter(isText)),
  next: new Map(),
});

function nodeOf(node: unknown, taken: Taken): unknown {
  if (!isRecord(node)) return node;
  const own = { kind: "wagon", ...node, ...(node.id === undefined && { id: mint(node, taken) }) };
  if (!Array.isArray(node.tasks)) return own;
  const given = node.tasks.slice(0, TASKS_MAX + 1);
  const inside = idsIn(given);
  const tasks = given.map((task) =>
    isRecord(task) && task.id === undefined ? { ...task, id: mint(task, inside) } : task,
  );
  return { ...own, tasks };
}

function mint(given: Record<string, unknown>, { ids, next }: Taken): string {
  const base = idWords(
    titleOf({
      title: isText(given.title) ? given.title : undefined,
      instruction: isText(given.instruction) ? given.instruction : "",
    }),
  );
  const [id, n] = freeFrom(base, ids, next.get(base) ?? 1);
  next.set(base, n + 1);
  ids.add(id);
  return id;
}

/** "Read the tables" = read-the-tables; the second of them read-the-tables-2. */
export const freeId = (title: string, taken: ReadonlySet<string>): string => freeFrom(idWords(title), taken, 1)[0];

function freeFrom(base: string, taken: ReadonlySet<string>, from: number): [string, number] {
  for (let n = from; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return [id, n];
  }
}

function idWords(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  return NODE_ID.test(words) ? words : "wagon";
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Ids that are taken, and references to what is not in the plan. */
export function referenceFault(plan: Plan): PlanFault | null {
  const seen = new Set<string>();
  for (const [i, node] of plan.nodes.entries()) {
    if (seen.has(node.id))
      return { path: `nodes.${i}.id`, message: `${node.id} is taken by another node; choose another id` };
    seen.add(node.id);
    const inside = new Set<string>();
    for (const [j, task] of node.kind === "fork" ? node.tasks.entries() : []) {
      const path = `nodes.${i}.tasks.${j}`;
      if (inside.has(task.id))
        return { path: `${path}.id`, message: `${task.id} is taken by another task; choose another id` };
      inside.add(task.id);
    }
  }
  const names = new Set<string>();
  for (const [i, { name }] of plan.inputs.entries()) {
    if (names.has(name)) return { path: `inputs.${i}.name`, message: `${name} is declared twice; remove one` };
    names.add(name);
  }
  const notes = new Set<string>();
  for (const [i, { id }] of plan.layout.notes.entries()) {
    if (notes.has(id))
      return { path: `layout.notes.${i}.id`, message: `${id} is taken by another note; choose another id` };
    notes.add(id);
  }
  return refusedInside(plan, new Set(idsOf(plan)));
}

function refusedInside(plan: Plan, places: ReadonlySet<string>): PlanFault | null {
  if (plan.result !== undefined && !plan.nodes.some(({ id }) => id === plan.result))
    return { path: "result", message: `there is no node ${plan.result}; name a node of this plan` };
  for (const [i, node] of plan.nodes.entries()) {
    const path = `nodes.${i}`;
    const lost = node.after.findIndex((after) => !places.has(after.node));
    if (lost >= 0) return missing(`${path}.after.${lost}.node`, node.after[lost]?.node);
    const riders =
      node.kind === "fork"
        ? node.tasks.map((task, j) => ({ rider: task, at: `${path}.tasks.${j}` }))
        : [{ rider: node, at: path }];
    if (node.kind === "fork") {
      const fault = refusedLoad(node.load, path, places);
      if (fault) return fault;
    }
    for (const { rider, at } of riders) {
      if (rider.recipe !== undefined && rider.handover !== undefined)
        return { path: `${at}.handover`, message: "give a recipe or a handover, not both" };
      const ref = rider.target?.ref;
      if (ref?.startsWith("@") && rider.target?.strategy !== "new" && !places.has(ref.slice(1)))
        return missing(`${at}.target.ref`, ref.slice(1));
      const fault = refusedLoad(rider.load, at, places);
      if (fault) return fault;
    }
  }
  return null;
}

function refusedLoad(load: Plan["nodes"][number]["load"], at: string, places: ReadonlySet<string>): PlanFault | null {
  const lost = load.findIndex((entry) => "from" in entry && !places.has(entry.from));
  const entry = load[lost];
  return entry && "from" in entry ? missing(`${at}.load.${lost}.from`, entry.from) : null;
}

const missing = (path: string, place: string | undefined): PlanFault => ({
  path,
  message: `there is no node ${place}; name a node of this plan, or a task as fork.task`,
});
