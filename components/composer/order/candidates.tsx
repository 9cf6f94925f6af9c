"use client";

// What may be loaded before the wagon starts: results of what ends before it, inputs, boxes and cards. What comes too late stands last
// with the reason.
import { useState } from "react";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { SearchInput } from "@/components/ui/text-input";
import type { Load } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { sameJson } from "@/server/contract/same-json";
import { knownParts, useComposer, usePlan } from "../composer-context";
import { loading } from "../draft/edits";
import { loadRowsOf } from "../drawing/loads";
import { type Choice, type Group, useChoices } from "../quick-add/use-choices";

const takes = [
  ["deliverable", "Deliverable", "Deliverables"],
  ["output", "Output box", "Output boxes"],
  ["summary", "Summary", "Summary of the join"],
] as const;

export function Candidates({ place }: { place: string }) {
  const [query, setQuery] = useState("");
  const { groups } = useChoices({ as: "load", place }, query);
  return (
    <section className="order-candidates" aria-label="May be loaded">
      <h2 className="mb-2 flex items-baseline gap-2">
        <b className="flex-1">May be loaded</b>
        <span className="text-ink-3">before it starts</span>
      </h2>
      <SearchInput label="Find a box, card or result" value={query} onChange={setQuery} />
      {groups.map((group) => (
        <Candidate key={group.title} group={group} place={place} />
      ))}
    </section>
  );
}

function Candidate({ group, place }: { group: Group; place: string }) {
  if (group.choices.length === 0) return null;
  if (group.title === "Results")
    return group.choices.map((choice) => <Result key={choice.id} choice={choice} place={place} />);
  return (
    <>
      <h3 className="mt-3 text-ink-3 text-note">{group.title}</h3>
      <ul>
        {group.choices.map((choice) =>
          "load" in choice.does ? (
            <Offer key={choice.id} place={place} load={choice.does.load} words={choice.words} note={choice.note} />
          ) : null,
        )}
      </ul>
    </>
  );
}

function Result({ choice, place }: { choice: Choice; place: string }) {
  const plan = usePlan();
  if (!("load" in choice.does) || !("from" in choice.does.load)) return null;
  const { from } = choice.does.load;
  const part = knownParts(plan).get(from);
  const isFork = part !== undefined && "tasks" in part;
  return (
    <>
      <h3 className="mt-3 flex items-center gap-1.5" data-refused={choice.refusal ? "" : undefined}>
        {choice.refusal ? (
          <Icon name="lock" size={13} className="text-ink-3" />
        ) : (
          <KindMark kind={isFork ? "fork" : "new"} size={13} label={null} />
        )}
        <span dir="auto" className={choice.refusal ? "truncate text-ink-3" : "truncate font-semibold"}>
          {part ? nameOf(part) : from}
        </span>
      </h3>
      {choice.refusal ? (
        <p className="text-ink-3 text-note">{choice.refusal}</p>
      ) : (
        <ul>
          {takes.map(([take, one, many]) => (
            <Offer key={take} place={place} load={{ from, take }} words={isFork ? many : one} note="" />
          ))}
        </ul>
      )}
    </>
  );
}

function Offer({ place, load, words, note }: { place: string; load: Load; words: string; note: string }) {
  const plan = usePlan();
  const { store } = useComposer();
  const isIn = loadRowsOf(plan, place).rows.some((row) => sameJson(row.load, load));
  return (
    <li>
      <button
        type="button"
        className="order-offer"
        aria-label={isIn ? `${words}, loaded` : `Load ${words}`}
        onClick={() => (isIn ? store.say(`${words} is loaded already.`) : store.change(loading(plan, place, load)))}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {words}
        </span>
        {note === "" ? null : <span className="max-w-28 truncate text-ink-3">{note}</span>}
        <Icon name={isIn ? "check" : "plus"} size={13} className={isIn ? "text-st-success" : "text-ink-3"} />
      </button>
    </li>
  );
}
