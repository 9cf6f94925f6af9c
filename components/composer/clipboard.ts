"use client";

// Copy and paste: as a fragment that other plans and projects take, and as YAML that people read.
import { copyFragment } from "@/server/contract/plan/fragment";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { pasteOps } from "@/server/contract/plan/paste-ops";
import type { Berth, Plan, PlanNode } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { readClipboard } from "@/server/contract/plan/read-clipboard";
import type { Composing } from "./composer-context";
import { loading, removing } from "./draft/edits";

type With = Pick<Composing, "store" | "ground">;

function fragmentOf({ store, ground }: With, selection: readonly string[]) {
  const { plan } = store.get();
  const { stops } = ground.get();
  return copyFragment(
    plan,
    {
      places: new Set(selection.map((id) => id.replace(/^gate:/, ""))),
      notes: new Set(selection.flatMap((id) => (id.startsWith("note:") ? [id.slice(5)] : []))),
    },
    (place) => {
      const stop = stops.get(place);
      return stop && { col: stop.col, row: stop.row };
    },
  );
}

const FORM = "web application/x-switchyard-plan+json";

/** Answers what was said of it. */
export async function copy(composing: With, selection: readonly string[], isCut = false): Promise<void> {
  const { store } = composing;
  if (selection.length === 0) return;
  const fragment = fragmentOf(composing, selection);
  const { fragmentYaml } = await import("@/server/contract/plan/yaml/fragment-yaml");
  const text = fragmentYaml(fragment);
  try {
    const json = new Blob([JSON.stringify(fragment)], { type: FORM });
    await navigator.clipboard.write([
      new ClipboardItem({
        "text/plain": new Blob([text], { type: "text/plain" }),
        ...(ClipboardItem.supports?.(FORM) && { [FORM]: json }),
      }),
    ]);
  } catch {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      return store.say(`Not copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (isCut) store.change(removing(store.get().plan, selection));
  store.say(isCut ? "Cut" : "Copied");
}

/** `keepOutside`: tracks and loads from nodes that were not copied stay, where this plan has such nodes. */
export async function paste(composing: With, keepOutside = false, given?: string): Promise<void> {
  const { store } = composing;
  let text = given;
  if (text === undefined)
    try {
      text = await navigator.clipboard.readText();
    } catch (error) {
      return store.say(`Not pasted: ${error instanceof Error ? error.message : String(error)}`);
    }
  const { readYaml } = await import("@/server/contract/plan/yaml/parse-yaml");
  const pasted = readClipboard(text, readYaml);
  const { plan, selection } = store.get();
  if (pasted.kind === "refused") return store.say(pasted.message);
  if (pasted.kind === "id") {
    const to = selection.at(-1);
    if (to === undefined) return store.say("Select the wagon that is to load it, then paste again.");
    store.change(loading(plan, to, { box: pasted.id }));
    return;
  }
  if (pasted.kind === "plan") {
    if (plan.nodes.length > 0)
      return store.say("This is a whole plan. Open a new plan to paste it, or copy some of its nodes.");
    store.change({
      label: "Plan pasted",
      ops: [
        ...(pasted.plan.name && plan.name === ""
          ? [{ op: "set" as const, path: "/name", value: pasted.plan.name }]
          : []),
        { op: "set", path: "/description", value: pasted.plan.description },
        { op: "set", path: "/inputs", value: pasted.plan.inputs },
        { op: "set", path: "/limits", value: pasted.plan.limits },
        { op: "set", path: "/run_by", value: pasted.plan.run_by },
        ...nodesOps(pasted.plan),
        ...(pasted.plan.result === undefined
          ? []
          : [{ op: "set" as const, path: "/result", value: pasted.plan.result }]),
        { op: "place", places: pasted.plan.layout.places },
        ...pasted.plan.layout.notes.map((note) => ({ op: "add_note" as const, note })),
      ],
      select: [],
    });
    return;
  }
  put(composing, pasted.fragment, keepOutside, "Pasted");
}

/** `by`: so many berths from where they stand; else one row below what was selected last. */
export function duplicate(composing: With, selection: readonly string[], by?: Berth): void {
  if (selection.length === 0) return;
  const { stops } = composing.ground.get();
  const stood = selection.flatMap((id) => stops.get(nodeIdOf(id.replace(/^gate:/, ""))) ?? []);
  const at = by && {
    col: Math.max(1, Math.min(...stood.map(({ col }) => col)) + by.col),
    row: Math.min(...stood.map(({ row }) => row)) + by.row,
  };
  put(composing, fragmentOf(composing, selection), true, "Duplicated", at);
}

function put(
  { store, ground }: With,
  fragment: Parameters<typeof pasteOps>[1],
  keepOutside: boolean,
  word: string,
  to?: Berth,
): void {
  const { plan, selection } = store.get();
  const behind = ground.get().stops.get((selection.at(-1) ?? "").split(".")[0] ?? "");
  const at = to ?? (behind ? { col: behind.col, row: behind.row + 1 } : { col: 1, row: 0 });
  const made = pasteOps(plan, fragment, { at, keepOutside });
  if ("refusal" in made) {
    store.say(made.refusal.message);
    return;
  }
  store.change({ label: `${word} ${made.nodes.length}`, ops: made.ops, select: made.nodes });
}

/** Nodes may refer to later ones: they come first, what they refer to each other by after them. */
function nodesOps(plan: Plan): PlanOpInput[] {
  const bare = (node: PlanNode): PlanNode => {
    const own = { ...node, after: [], load: [] };
    return own.kind === "fork" ? { ...own, tasks: own.tasks.map((task) => ({ ...task, load: [] })) } : own;
  };
  return [
    ...plan.nodes.map((node): PlanOpInput => ({ op: "add_node", node: bare(node) })),
    ...plan.nodes.map((node): PlanOpInput => ({ op: "set", node: node.id, path: "", value: node as never })),
  ];
}
