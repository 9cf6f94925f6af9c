"use client";

// What the list offers: who may work, or what may be read. What would be refused comes last, with the reason.
import type { ReactNode } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import type { Load, Plan } from "@/server/contract/plan/plan";
import { idsOf, isTaskPlace, nameOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { type QuickAdd as Asked, type Composing, knownParts, usePlan } from "../composer-context";
import { adding, addingBefore, addingTask, askingBeside, coupling, loading, type Made, splicing } from "../draft/edits";
import { refusedTargets } from "../drawing/couplable";
import { placePlan } from "../shelf/place-plan";
import { type ShelfEntry, type ShelfKind, useShelf } from "../shelf/use-shelf";

export type Choice = {
  id: string;
  words: string;
  note: string;
  mark: ReactNode;
  refusal?: string;
  does: { made: Made } | { load: Load } | { to: string } | { plan: string };
};
export type Group = { title: string; choices: Choice[] };

export function useChoices(asked: Asked, query: string): { groups: Group[]; isLoading: boolean } {
  const plan = usePlan();
  const isLoad = asked.as === "load";
  const isSend = asked.as === "send";
  const [profiles, agents, plans] = [useShelf("profiles", query), useShelf("agents", query), useShelf("plans", query)];
  const [boxes, cards] = [useShelf("boxes", query), useShelf("cards", query)];
  const fits = ({ words, note }: Choice) => `${words} ${note}`.toLowerCase().includes(query.trim().toLowerCase());
  if (isSend)
    return {
      groups: [{ title: "Wagons and forks", choices: sendsOf(plan, asked.place ?? "").filter(fits) }],
      isLoading: false,
    };
  if (isLoad)
    return {
      groups: [
        { title: "Results", choices: resultsOf(plan, asked.place ?? "").filter(fits) },
        {
          title: "Inputs",
          choices: plan.inputs
            .map(({ name, kind }) => loadChoice(`input ${name}`, name, kind, { input: name }))
            .filter(fits),
        },
        { title: "Boxes", choices: shelved("boxes", boxes.entries) },
        { title: "Cards", choices: shelved("cards", cards.entries) },
      ],
      isLoading: [boxes, cards].some(({ entries, isOld }) => entries === undefined || isOld),
    };
  const isAsk = asked.as === "ask";
  const shapes: Choice[] =
    isAsk || asked.as === "task"
      ? []
      : [
          {
            id: "fork",
            words: "Fork of three",
            note: "three tasks, one gate",
            mark: <KindMark kind="fork" size={16} label={null} />,
            does: { made: { kind: "fork" } },
          },
          {
            id: "ask",
            words: "Ask an expert",
            note: "a question that is answered before what follows starts",
            mark: <KindMark kind="ask" size={16} label={null} />,
            does: { made: { kind: "ask" } },
          },
          {
            id: "wagon",
            words: "Wagon without a target",
            note: "choose who works later",
            mark: <KindMark kind="new" size={16} label={null} />,
            does: { made: { kind: "wagon" } },
          },
        ];
  return {
    groups: [
      { title: "Profiles", choices: shelved("profiles", profiles.entries, isAsk) },
      { title: "Shapes", choices: shapes.filter(fits) },
      { title: "Agents", choices: isAsk ? [] : shelved("agents", agents.entries) },
      { title: "Plans", choices: isAsk || asked.as === "task" ? [] : shelved("plans", plans.entries) },
    ],
    isLoading: [profiles, agents].some(({ entries, isOld }) => entries === undefined || isOld),
  };
}

const markOf = ({ mark, plate }: ShelfEntry): ReactNode =>
  mark ? (
    <AgentMark {...mark} size={16} />
  ) : plate ? (
    <span className="mono">{plate}</span>
  ) : (
    <Icon name="plans" size={15} />
  );

function shelved(kind: ShelfKind, entries: readonly ShelfEntry[] | undefined, isAsk = false): Choice[] {
  return (entries ?? []).slice(0, 20).map((entry): Choice => {
    const { item } = entry;
    const does: Choice["does"] =
      item === null
        ? { plan: entry.id }
        : "load" in item
          ? { load: item.load }
          : { made: isAsk ? { ...item.made, kind: "ask" } : item.made };
    return {
      id: `${kind} ${entry.id}`,
      words: entry.title,
      note: [entry.note, entry.figure].filter(Boolean).join(", "),
      mark: markOf(entry),
      does,
    };
  });
}

const loadChoice = (id: string, words: string, note: string, load: Load, refusal?: string): Choice => ({
  id,
  words,
  note,
  mark: <Icon name="boxes" size={15} />,
  does: { load },
  ...(refusal !== undefined && { refusal }),
});

/** Results of all other places; of those that end too late, why they cannot be loaded. */
function resultsOf(plan: Plan, place: string): Choice[] {
  const parts = knownParts(plan);
  const choices = idsOf(plan)
    .filter((from) => from !== place && nodeIdOf(from) !== nodeIdOf(place))
    .map((from) => {
      const part = parts.get(from);
      const refusal = refusedTargets(plan, from).get(place);
      const words = part ? nameOf(part) : from;
      const why = refusal === undefined ? undefined : `${words} starts after this one, so it has nothing to give yet.`;
      return loadChoice(
        `result ${from}`,
        words,
        isTaskPlace(from) ? "deliverable of the task" : "deliverable",
        { from, take: "deliverable" },
        why,
      );
    });
  return [
    ...choices.filter(({ refusal }) => refusal === undefined),
    ...choices.filter(({ refusal }) => refusal !== undefined),
  ];
}

function sendsOf(plan: Plan, place: string): Choice[] {
  const parts = knownParts(plan);
  const refused = refusedTargets(plan, place);
  const choices = idsOf(plan).map((to): Choice => {
    const part = parts.get(to);
    const refusal = refused.get(to);
    return {
      id: `send ${to}`,
      words: part ? nameOf(part) : to,
      note: "loads its deliverable",
      mark: <KindMark kind={part && "tasks" in part ? "fork" : "new"} size={15} label={null} />,
      does: { to },
      ...(refusal !== undefined && { refusal }),
    };
  });
  return [
    ...choices.filter(({ refusal }) => refusal === undefined),
    ...choices.filter(({ refusal }) => refusal !== undefined),
  ];
}

export async function choose(composing: Composing, asked: Asked, { does }: Choice): Promise<void> {
  const { store } = composing;
  const { plan } = store.get();
  const { place } = asked;
  if ("plan" in does) return placePlan(composing, does.plan);
  if ("to" in does) return void (place !== null && store.change(coupling(plan, place, does.to)));
  if ("load" in does) return void (place !== null && store.change(loading(plan, place, does.load)));
  const { made } = does;
  if (asked.as === "task" && place !== null) store.change(addingTask(plan, place, made));
  else if (asked.as === "before" && place !== null) store.change(addingBefore(plan, made, place));
  else if (asked.as === "splice" && asked.track) store.change(splicing(plan, made, asked.track));
  else if (asked.as === "ask" && place !== null) store.change(askingBeside(plan, made, place));
  else
    store.change(adding(plan, made, { ...(place !== null && { behind: place }), ...(asked.at && { at: asked.at }) }));
}
