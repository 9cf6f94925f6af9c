"use client";

// Chooses a run: those that are near, or what a search finds by number or by words of its title.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useRef, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import { SkeletonRows } from "@/components/ui/skeleton";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";

const RUNS = 20;

export type NearRun = { root_turn_id: string; why: string; title: string; created_at: string };
export type RunPickerProps = {
  projectId: string;
  /** Runs that belong to the one it is chosen for, before all others. */
  near?: readonly NearRun[];
  /** It is no choice: it is the other side. */
  without: string | null;
  hasFocus?: boolean;
  onPick: (root_turn_id: string) => void;
};

export function RunPicker({ projectId, near = [], without, hasFocus = false, onPick }: RunPickerProps) {
  const trpc = useTRPC();
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim());
  const found = useQuery({
    ...trpc.palette.search.queryOptions({ project_id: projectId, query, kinds: ["run"], limit: RUNS }),
    placeholderData: keepPreviousData,
  });
  const shownNear = query === "" ? near.filter(({ root_turn_id }) => root_turn_id !== without) : [];
  const known = new Set(shownNear.map(({ root_turn_id }) => root_turn_id));
  const runs = (found.data?.runs ?? []).filter((run) => run.root_turn_id !== without && !known.has(run.root_turn_id));
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const places = [...(box.current?.querySelectorAll<HTMLElement>("input, button[data-pick]") ?? [])];
    const at = places.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Enter" && at === 0) places[1]?.click();
    else if (step === 0) return;
    else places[at + step]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows go from the field to the runs that it found.
    <div ref={box} className="compare-picker" onKeyDown={onKeyDown}>
      <SearchInput
        label="Find a run"
        placeholder="Find a run by number or title"
        value={typed}
        autoFocus={hasFocus}
        onChange={setTyped}
      />
      <ul aria-label="Runs">
        {shownNear.map(({ root_turn_id, why, title, created_at }) => (
          <Choice key={root_turn_id} name={why} title={title} at={created_at} onPick={() => onPick(root_turn_id)} />
        ))}
        {runs.map(({ root_turn_id, number, title, created_at, turn_count }) => (
          <Choice
            key={root_turn_id}
            name={`Run ${formatNumber(number)}`}
            title={title}
            note={formatCount(turn_count, "turn")}
            at={created_at}
            onPick={() => onPick(root_turn_id)}
          />
        ))}
      </ul>
      {found.error ? (
        <p className="px-2 py-1 text-st-failed">{found.error.message}</p>
      ) : found.data === undefined ? (
        <SkeletonRows count={4} rowHeight={32} label="Loading runs" />
      ) : shownNear.length + runs.length === 0 ? (
        <p className="px-2 py-1 text-ink-2">{query === "" ? "This project has no other run." : "No matching runs."}</p>
      ) : null}
    </div>
  );
}

type ChoiceProps = { name: string; title: string; note?: string; at: string; onPick: () => void };

const Choice = ({ name, title, note, at, onPick }: ChoiceProps) => (
  <li>
    <button type="button" data-pick className="compare-pick" onClick={onPick}>
      <b className="flex-none font-semibold">{name}</b>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
        {plainWords(title)}
      </span>
      {note === undefined ? null : <span className="flex-none text-ink-3 max-sm:hidden">{note}</span>}
      <Ago at={at} className="flex-none text-ink-3" />
    </button>
  </li>
);
