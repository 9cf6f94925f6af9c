"use client";

// One list of everything that can be added, or loaded, at the place where it was asked for. Typed into, walked with the arrows;
// Enter places it, with the command key it stays open for the next in line.
import { Command } from "cmdk";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { DialogSurface } from "@/components/ui/dialog-surface";
import { Icon } from "@/components/ui/icon";
import { plainWords } from "@/components/ui/plain-words";
import type { Plan } from "@/server/contract/plan/plan";
import { isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { type QuickAdd as Asked, type Composing, useComposer } from "../composer-context";
import { named } from "../draft/edits";
import { type Choice, choose, useChoices } from "./use-choices";

const titles: Record<Asked["as"], string> = {
  behind: "Add a step",
  before: "Add before",
  task: "Add a task",
  ask: "Ask an expert",
  load: "Load",
  send: "Send the result to",
  splice: "Add between",
};

/** "Add after the fork Three searches" */
function titleOf(plan: Plan, { as, place }: Asked): string {
  const node = plan.nodes.find(({ id }) => id === nodeIdOf(place ?? ""));
  if (as !== "behind" || place === null || !node) return titles[as];
  if (node.kind !== "fork") return `Add after ${nameOf(node)}`;
  return isTaskPlace(place) ? `Add after the task ${named(plan, place)} alone` : `Add after the fork ${nameOf(node)}`;
}

/** What was typed before it came; `isEntered`: Enter was pressed too. */
export type Typed = { text: string; isEntered: boolean };

export type QuickAddDialogProps = { asked: Asked; takeTyped: () => Typed };

export function QuickAddDialog({ asked: first, takeTyped }: QuickAddDialogProps) {
  const composing = useComposer();
  const [asked, setAsked] = useState(first);
  const [query, setQuery] = useState("");
  const [cursor, setCursor] = useState("");
  const { groups, isLoading } = useChoices(asked, query);
  const open = groups.flatMap(({ choices }) =>
    choices.filter(({ refusal }) => refusal === undefined).map(({ id }) => id),
  );
  const current = open.includes(cursor) ? cursor : (open[0] ?? "");
  const close = () => {
    composing.adding.set(null);
    // The keys go on where the plan is drawn.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".composer-canvas")?.focus());
  };
  const place = (choice: Choice, isMore: boolean) => {
    void choose(composing, asked, choice);
    if (!isMore) return close();
    setQuery("");
    const next = lastChosen(composing);
    if (asked.as === "behind" && next !== null) setAsked({ as: "behind", place: next });
  };
  const isMore = useRef(false);
  // Enter may come before the answer: the key waits for it, or it would place what an earlier word had found.
  const [isHeld, setIsHeld] = useState(false);
  const placeFirst = useEffectEvent(() => {
    const first = groups.flatMap(({ choices }) => choices).find(({ id }) => id === current);
    if (first) place(first, isMore.current);
  });
  const takeEarly = useEffectEvent(() => {
    const { text, isEntered } = takeTyped();
    if (text !== "") setQuery(text);
    if (isEntered) setIsHeld(true);
  });
  useLayoutEffect(() => takeEarly(), []);
  useEffect(() => {
    if (!isHeld || isLoading) return;
    setIsHeld(false);
    placeFirst();
  }, [isHeld, isLoading]);
  return (
    <DialogSurface
      isOpen
      width={520}
      title={plainWords(titleOf(composing.store.get().plan, asked))}
      description="Type to filter. Enter places it; with ⌘ or Ctrl the list stays open for the next."
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Command
        label={titles[asked.as]}
        shouldFilter={false}
        value={current}
        onValueChange={setCursor}
        className="flex min-h-0 flex-col"
        onKeyDownCapture={(event) => {
          isMore.current = event.metaKey || event.ctrlKey;
          if (event.key !== "Enter" || event.nativeEvent.isComposing || !isLoading) return;
          event.preventDefault();
          event.stopPropagation();
          setIsHeld(true);
        }}
      >
        <div className="flex h-9 flex-none items-center gap-2 border-line border-b px-2.5">
          <Icon name="search" size={14} className="text-ink-3" />
          <Command.Input
            autoFocus
            data-autofocus
            value={query}
            onValueChange={(text) => {
              setQuery(text);
              setCursor("");
              setIsHeld(false);
            }}
            placeholder={
              asked.as === "load" ? "A box, a card, an input or a result" : "A profile, an agent, fork, ask or a plan"
            }
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
        </div>
        <Command.List className="max-h-96 overflow-y-auto p-1">
          {groups.map(({ title, choices }) =>
            choices.length === 0 ? null : (
              <Command.Group key={title} heading={title}>
                {choices.map((choice) => (
                  <Command.Item
                    key={choice.id}
                    value={choice.id}
                    disabled={choice.refusal !== undefined}
                    className="launch-option"
                    onSelect={() => place(choice, isMore.current)}
                  >
                    <span className="flex-none text-ink-3">{choice.mark}</span>
                    <span className="min-w-0 flex-1">
                      <b dir="auto" className="block truncate">
                        {choice.words}
                      </b>
                      <span dir="auto" className="block truncate text-ink-3 text-note">
                        {choice.refusal ?? choice.note}
                      </span>
                    </span>
                  </Command.Item>
                ))}
              </Command.Group>
            ),
          )}
          {groups.every(({ choices }) => choices.length === 0) ? (
            <p className="px-2 py-3 text-ink-2">{isLoading ? "Looking" : `Nothing found for “${query}”.`}</p>
          ) : null}
        </Command.List>
      </Command>
    </DialogSurface>
  );
}

const lastChosen = ({ store }: Composing): string | null => store.get().selection.at(-1) ?? null;
