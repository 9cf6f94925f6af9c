// A fragment: nodes and notes as they travel over the clipboard, with berths from the upper left corner of what was copied.
import * as z from "zod";
import { shapeFault } from "../shape-fault";
import { type PlanFault, withIds } from "./parse-plan";
import { Berth, NODES_MAX, NOTES_MAX, Note, Place, type Plan, PlanNode, type PlanTask, type Wagon } from "./plan";
import { berthOf as berthIn, idsOf, nodeIdOf } from "./plan-words";
import { withReferences } from "./references";

export const FragmentShape = z.strictObject({
  switchyard: z.literal("fragment/1"),
  /** What they refer to may be elsewhere: pasting decides what of it is kept. */
  nodes: z.array(PlanNode).max(NODES_MAX).default([]),
  notes: z.array(Note).max(NOTES_MAX).default([]),
  /** By node id. */
  places: z.record(Place, Berth).default({}),
});
export type Fragment = z.infer<typeof FragmentShape>;

export type Selection = {
  /** Nodes, or fork.task. */
  places: ReadonlySet<string>;
  notes?: ReadonlySet<string>;
};

/** A task without its fork becomes a wagon. `berthOf`: where it is drawn, also if no person placed it. */
export function copyFragment(
  plan: Plan,
  selection: Selection,
  berthOf: (place: string) => Berth | undefined = (place) => berthIn(plan.layout.places, place),
): Fragment {
  const ids = new Set(plan.nodes.filter(({ id }) => selection.places.has(id)).map(({ id }) => id));
  const wagons = new Map<string, string>();
  const nodes = plan.nodes.flatMap((node): PlanNode[] => {
    if (selection.places.has(node.id)) return [node];
    if (node.kind !== "fork") return [];
    const tasks = node.tasks.filter(({ id }) => selection.places.has(`${node.id}.${id}`));
    return tasks.map((task) => {
      const id = nextId(task.id, ids);
      ids.add(id);
      wagons.set(`${node.id}.${task.id}`, id);
      return wagonOf(task, id);
    });
  });
  const notes = plan.layout.notes.filter(({ id }) => selection.notes?.has(id));
  const copies = idsOf(plan).filter((place) => selection.places.has(place) || selection.places.has(nodeIdOf(place)));
  const berths = copies.flatMap((place): [string, Berth][] => {
    const berth = berthOf(place);
    return berth ? [[place, berth]] : [];
  });
  const corner = cornerOf([...berths.map(([, berth]) => berth), ...notes]);
  const copied: Plan = {
    ...plan,
    result: undefined,
    nodes,
    layout: {
      places: Object.fromEntries(berths.map(([place, { col, row }]) => [place, from(corner, { col, row })])),
      notes: notes.map((note) => ({ ...note, ...from(corner, note) })),
    },
  };
  const own = withReferences(copied, (place) => wagons.get(place) ?? place);
  return { switchyard: "fragment/1", nodes: own.nodes, ...own.layout };
}

/** From outside: kinds and ids are filled in as in a plan. */
export function parseFragment(body: unknown): { fragment: Fragment } | { fault: PlanFault } {
  const parsed = FragmentShape.safeParse(withIds(body));
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const seen = new Set<string>();
  for (const [i, { id }] of parsed.data.nodes.entries()) {
    if (seen.has(id))
      return { fault: { path: `nodes.${i}.id`, message: `${id} is taken by another node; choose another id` } };
    seen.add(id);
  }
  return { fragment: parsed.data };
}

/** flow, flow-2, flow-3: the first that is free. */
export function nextId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  const base = id.replace(/-\d+$/, "").slice(0, 34);
  for (let n = 2; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`;
}

const wagonOf = (task: PlanTask, id: string): Wagon => ({
  kind: "wagon",
  after: [],
  hold: false,
  disabled: false,
  ...task,
  id,
});

const cornerOf = (berths: Berth[]): Berth => ({
  col: Math.min(...berths.map(({ col }) => col)),
  row: Math.min(...berths.map(({ row }) => row)),
});

const from = (corner: Berth, { col, row }: Berth): Berth => ({ col: col - corner.col, row: row - corner.row });
