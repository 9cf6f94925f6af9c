// A bundle's folder as a report needs it: turns and boxes in memory, and where each card stands in its file.
import type { BatchLine, RunLine, TurnLine } from "@/server/contract/bundle/lines";
import type { BundleNote } from "@/server/contract/bundle/manifest";
import type { PlanEditLine, PlanNodeLine, PlanRunLine } from "@/server/contract/bundle/plan-lines";
import type { BoxLine, CardLine } from "@/server/contract/bundle/store-lines";
import type { Folder } from "@/server/interop/bundle/folder";

export type RunIndex = {
  run: RunLine;
  /** Callers before those they called, each with what it called behind it. */
  turns: { turn: TurnLine; depth: number }[];
  boxes: Map<string, string[]>;
  /** Of the turns of each node of a plan, in the order of its tries and tasks. */
  nodes: Map<string, PlanNode>;
  edits: Map<string, PlanEditLine[]>;
  plansOf: () => AsyncIterable<PlanRunLine>;
  notes: BundleNote[];
  cardOf: (card_id: string) => Promise<CardLine | null>;
};

export type PlanNode = PlanNodeLine & { turns: string[] };
export const nodeKey = (plan_run_id: string, node_id: string): string => `${plan_run_id} ${node_id}`;

export async function readIndex(folder: Folder): Promise<RunIndex> {
  const turns: TurnLine[] = [];
  let run: RunLine | undefined;
  for await (const text of folder.lines("run.json")) run = JSON.parse(text) as RunLine;
  if (!run) throw new Error("a bundle has a run");
  for await (const text of folder.lines("turns.jsonl")) turns.push(JSON.parse(text) as TurnLine);
  const wanted = new Set(turns.flatMap((turn) => [turn.context_box_id, turn.output_box_id]));
  const boxes = new Map<string, string[]>();
  for await (const text of folder.lines("boxes.jsonl")) {
    const { box_id, card_ids } = JSON.parse(text) as BoxLine;
    if (wanted.has(box_id)) boxes.set(box_id, card_ids);
  }
  const places = new Map<string, { at: number; length: number }>();
  let at = 0;
  for await (const text of folder.lines("cards.jsonl")) {
    const length = Buffer.byteLength(text);
    places.set((JSON.parse(text) as CardLine).card_id, { at, length });
    at += length + 1;
  }
  return {
    run,
    turns: inOrder(turns),
    boxes,
    ...(await readPlans(folder)),
    notes: await readNotes(folder),
    cardOf: async (card_id) => {
      const place = places.get(card_id);
      if (!place) return null;
      return JSON.parse(Buffer.from(await folder.lineAt("cards.jsonl", place)).toString()) as CardLine;
    },
  };
}

async function readPlans(folder: Folder): Promise<Pick<RunIndex, "nodes" | "edits" | "plansOf">> {
  const nodes = new Map<string, PlanNode>();
  for await (const text of folder.lines("plan_nodes.jsonl")) {
    const node = JSON.parse(text) as PlanNodeLine;
    nodes.set(nodeKey(node.plan_run_id, node.node_id), { ...node, turns: [] });
  }
  const tries: { key: string; try: number; turns: string[] }[] = [];
  for await (const text of folder.lines("batches.jsonl")) {
    const { plan, tasks } = JSON.parse(text) as BatchLine;
    if (plan === undefined) continue;
    const turns = tasks
      .toSorted((a, b) => a.task_index - b.task_index)
      .flatMap(({ agent_turn_id }) => agent_turn_id ?? []);
    tries.push({ key: nodeKey(plan.plan_run_id, plan.node_id), try: plan.try, turns });
  }
  for (const { key, turns } of tries.sort((a, b) => a.try - b.try)) nodes.get(key)?.turns.push(...turns);
  const edits = new Map<string, PlanEditLine[]>();
  for await (const text of folder.lines("plan_edits.jsonl")) {
    const edit = JSON.parse(text) as PlanEditLine;
    edits.set(edit.plan_run_id, [...(edits.get(edit.plan_run_id) ?? []), edit]);
  }
  // A drawing may have megabytes: read again when it is written.
  return { nodes, edits, plansOf: () => plansOf(folder) };
}

async function* plansOf(folder: Folder): AsyncGenerator<PlanRunLine> {
  for await (const text of folder.lines("plan_runs.jsonl")) yield JSON.parse(text) as PlanRunLine;
}

async function readNotes(folder: Folder): Promise<BundleNote[]> {
  for await (const text of folder.lines("notes.json")) return JSON.parse(text) as BundleNote[];
  return [];
}

function inOrder(turns: readonly TurnLine[]): RunIndex["turns"] {
  const ids = new Set(turns.map((turn) => turn.agent_turn_id));
  const below = new Map<string | null, TurnLine[]>();
  for (const turn of turns) {
    const parent = ids.has(turn.parent_turn_id ?? "") ? turn.parent_turn_id : null;
    below.set(parent, [...(below.get(parent) ?? []), turn]);
  }
  // Latest first: they are taken from the end.
  const late = (parent: string | null) =>
    (below.get(parent) ?? []).sort((a, b) =>
      a.created_at + a.agent_turn_id < b.created_at + b.agent_turn_id ? 1 : -1,
    );
  const stack = late(null).map((turn) => ({ turn, depth: 0 }));
  const ordered: RunIndex["turns"] = [];
  for (let next = stack.pop(); next; next = stack.pop()) {
    ordered.push(next);
    const { depth } = next;
    for (const turn of late(next.turn.agent_turn_id)) stack.push({ turn, depth: depth + 1 });
  }
  return ordered;
}
