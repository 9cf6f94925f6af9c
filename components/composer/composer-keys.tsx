"use client";

// Everything that the pointer does, by keys. Single letters act outside of fields only.
import { useShortcut } from "@/components/ui/shortcuts";
import { isTaskPlace, nodeIdOf } from "@/server/contract/plan/plan-words";
import { moving } from "./canvas/drag";
import type { DrawingView } from "./canvas/use-view";
import { copy, duplicate, paste } from "./clipboard";
import { chosen, knownParts, useComposer } from "./composer-context";
import { aligning } from "./draft/aligning";
import type { Change } from "./draft/drawing-store";
import { addingTask, toggling } from "./draft/edits";
import { takingAway } from "./draft/taking-away";
import { tidying } from "./draft/tidying";
import { linkOf } from "./drawing/links";
import { alongTracks, inOrder, nearest, type Way } from "./drawing/nearest";

export type ComposerKeysProps = {
  view: DrawingView;
  onLaunch: (isStepped: boolean) => void;
  onPublish: () => void;
  onYaml: () => void;
  onDryRun: () => void;
  onNextProblem: (by: 1 | -1) => void;
  onFirstRemedy: () => void;
  onOpenPlan: () => void;
  onLikeLast: (() => void) | null;
};

const group = "Composer";

export function ComposerKeys(props: ComposerKeysProps) {
  const { view, onLaunch, onPublish, onYaml, onDryRun, onNextProblem, onFirstRemedy, onOpenPlan, onLikeLast } = props;
  const composing = useComposer();
  const { store, ground, adding, edit, openOrder } = composing;
  const at = () => chosen(store.get());
  const place = () => at()?.replace(/^gate:/, "") ?? null;
  const select = (next: string | null, isMore = false) => {
    if (next === null) return;
    const { selection } = store.get();
    store.select(isMore ? [...selection.filter((id) => id !== next), next] : [next]);
    view.reveal(next);
  };
  const change = (made: Change | string | null) => {
    if (made === null) return;
    if (typeof made === "string") store.say(made);
    else store.change(made);
  };
  const selected = () => store.get().selection;
  const plan = () => store.get().plan;
  const key = (keys: string | readonly string[], label: string, run: () => void) => [keys, label, run] as const;

  useEach([
    key(["j"], "Nearest wagon below", () => select(nearest(ground.get(), place(), "down"))),
    key(["k"], "Nearest wagon above", () => select(nearest(ground.get(), place(), "up"))),
    key("i", "What it waits for", () => place() !== null && select(alongTracks(plan(), place() ?? "", "in"))),
    key("o", "What waits for it, or open a plan", () =>
      plan().nodes.length === 0 ? onOpenPlan() : place() !== null && select(alongTracks(plan(), place() ?? "", "out")),
    ),
    key("[", "Before it in starting order", () => select(inOrder(plan(), place(), -1))),
    key("]", "After it in starting order", () => select(inOrder(plan(), place(), 1))),
    key("home", "First in starting order", () => select(inOrder(plan(), null, "first"))),
    key("end", "Last in starting order", () => select(inOrder(plan(), null, "last"))),
    key("mod+a", "Select all", () => store.select(inAll(plan()))),
    key("n", "Add behind, or into the track", () => {
      const link = linkOf(at() ?? "");
      if (link?.kind === "track") adding.set({ as: "splice", place: link.to, track: link });
      // What follows a fork waits at its gate. Behind one task alone: from the coupling of that task.
      else adding.set({ as: "behind", place: link || place() === null ? null : nodeIdOf(place() ?? "") });
    }),
    key("shift+n", "Add before", () => adding.set({ as: "before", place: place() })),
    key("t", "Add a task, or make it a fork", () => change(addingTask(plan(), place() ?? "", null))),
    key("a", "Ask an expert beside it", () => adding.set({ as: "ask", place: place() })),
    key("w", "Load into it", () => place() !== null && adding.set({ as: "load", place: place() })),
    key("shift+w", "Send its result to", () => place() !== null && adding.set({ as: "send", place: place() })),
    key(
      // "g l" leads to the alarms from everywhere else, and the help listed it twice.
      "g t",
      "Select the fork of the task",
      () => place() !== null && isTaskPlace(place() ?? "") && store.select([nodeIdOf(place() ?? "")]),
    ),
    key("f2", "Title", () => edit("title")),
    key("alt+p", "Profile", () => edit("target")),
    key("h", "Hand-over", () => {
      const part = knownParts(plan()).get(place() ?? "");
      if (part && "instruction" in part) openOrder(place() ?? "");
      else store.say("Choose a wagon, an ask or a task first.");
    }),
    key("p", "Hold, or let pass", () => change(toggling(plan(), selected(), "hold"))),
    key("x", "Switch off, or on", () => change(toggling(plan(), selected(), "disabled"))),
    key("m", "Note", () => change(noting(composing))),
    key("mod+z", "Undo", () => store.undo()),
    key(["shift+mod+z", "mod+y"], "Redo", () => store.redo()),
    key("mod+c", "Copy", () => void copy(composing, selected())),
    key("mod+x", "Cut", () => void copy(composing, selected(), true)),
    key("mod+v", "Paste", () => void paste(composing)),
    key("shift+mod+v", "Paste and keep what came in", () => void paste(composing, true)),
    key("mod+d", "Duplicate", () => duplicate(composing, selected())),
    key(
      ["mod+backspace", "mod+delete"],
      "Delete",
      () => selected().length > 0 && change(takingAway(plan(), selected())),
    ),
    key("alt+t", "Tidy", () => change(tidying(plan(), selected()))),
    key("alt+shift+arrowright", "Align in a row", () => change(aligning(plan(), ground.get(), selected(), "row"))),
    key("alt+shift+arrowdown", "Align in a column", () => change(aligning(plan(), ground.get(), selected(), "col"))),
    key("0", "Show all", () => view.fit()),
    key("f", "Scroll into view", () => place() !== null && view.focus(place() ?? "")),
    key(["+", "="], "Larger", () => view.zoomBy(1.25)),
    key("-", "Smaller", () => view.zoomBy(0.8)),
    key("mod+.", "Apply its first remedy", onFirstRemedy),
    key("d", "Dry run", onDryRun),
    key("shift+l", "Change the last run", () => onLikeLast?.()),
  ]);
  // It leads to a field: the next one is asked for from there.
  useShortcut("f8", "Next problem", () => onNextProblem(1), { group, isWhileTyping: true });
  useShortcut("shift+f8", "Previous problem", () => onNextProblem(-1), { group, isWhileTyping: true });
  useShortcut("mod+enter", "Launch", () => onLaunch(false), { group, isWhileTyping: true });
  useShortcut("shift+mod+enter", "Launch, and ask me before each step", () => onLaunch(true), {
    group,
    isWhileTyping: true,
  });
  useShortcut("mod+s", "Publish", onPublish, { group, isWhileTyping: true });
  useShortcut("mod+/", "Plan and YAML", onYaml, { group, isWhileTyping: true });
  useShortcut("f6", "Next panel", nextPanel, { group, isWhileTyping: true });
  return null;
}

/** The list has the same length each time. */
function useEach(keys: readonly (readonly [string | readonly string[], string, () => void])[]): void {
  for (const [spelling, label, run] of keys) {
    // biome-ignore lint/correctness/useHookAtTopLevel: a list of one length is as good as so many lines
    useShortcut(spelling, label, run, { group });
  }
}

const inAll = ({ nodes }: { nodes: readonly { id: string }[] }): string[] => nodes.map(({ id }) => id);

/** What the canvas does with the arrows: nearest, with Shift more of them, with Alt the wagon itself moves. */
export function arrowChange(
  { store, ground }: Pick<ReturnType<typeof useComposer>, "store" | "ground">,
  way: Way,
  { shiftKey, altKey }: { shiftKey: boolean; altKey: boolean },
): string | null {
  const { selection, plan } = store.get();
  const last = selection.at(-1) ?? null;
  if (altKey) {
    if (last !== null && isTaskPlace(last) && selection.length === 1) {
      const fork = plan.nodes.find(({ id }) => id === nodeIdOf(last));
      const index = fork?.kind === "fork" ? fork.tasks.findIndex(({ id }) => `${fork.id}.${id}` === last) : -1;
      const to = index + (way === "down" || way === "right" ? 1 : -1);
      if (fork?.kind === "fork" && to >= 0 && to < fork.tasks.length)
        store.change({ label: `It is task ${to + 1}`, ops: [{ op: "move_task", task: last, at: to }] });
      return last;
    }
    const by = { col: way === "right" ? 1 : way === "left" ? -1 : 0, row: way === "down" ? 1 : way === "up" ? -1 : 0 };
    const made = moving(
      plan,
      ground.get(),
      [...new Set(selection.map((id) => nodeIdOf(id.replace(/^gate:/, ""))))],
      by,
    );
    if (made) store.change(made);
    return last;
  }
  const next = nearest(ground.get(), last, way);
  if (next !== null) store.select(shiftKey ? [...selection.filter((id) => id !== next), next] : [next]);
  return next;
}

function noting({ store, ground }: Pick<ReturnType<typeof useComposer>, "store" | "ground">): Change {
  const { plan, selection } = store.get();
  const stop = ground.get().stops.get(nodeIdOf((selection.at(-1) ?? "").replace(/^gate:/, "")));
  const taken = new Set(plan.layout.notes.map(({ id }) => id));
  let id = "note";
  for (let n = 2; taken.has(id); n++) id = `note-${n}`;
  const berth = stop ? { col: stop.col, row: stop.row - 1 } : { col: 1, row: -1 };
  return {
    label: "Note added",
    ops: [{ op: "add_note", note: { id, text: "Note", ...berth } }],
    select: [`note:${id}`],
  };
}

/** From the ground to the shelf to the inspector and round again. */
function nextPanel(): void {
  const panels = [...document.querySelectorAll<HTMLElement>("[data-panel]")];
  const at = panels.findIndex((panel) => panel.contains(document.activeElement));
  const next = panels[(at + 1) % panels.length];
  const inside = next?.matches("[tabindex]")
    ? next
    : next?.querySelector<HTMLElement>("button, a[href], input, select, textarea, [tabindex='0']");
  inside?.focus();
}
