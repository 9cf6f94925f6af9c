"use client";

// The strip at the bottom: everything that can be drawn. What works stands on a track; what is read lies in crates to scale.
import { memo, type ReactNode, useRef, useState } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { Consist } from "@/components/ui/consist";
import { totalTokens } from "@/components/ui/consist-segments";
import { formatNumber } from "@/components/ui/format";
import { Kbd } from "@/components/ui/kbd";
import { SearchInput } from "@/components/ui/text-input";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import type { Item } from "../canvas/drag";
import type { useGestures } from "../canvas/use-gestures";
import { useComposer } from "../composer-context";
import { adding, loading } from "../draft/edits";
import { placePlan } from "./place-plan";
import { type ShelfEntry, type ShelfKind, useShelf } from "./use-shelf";

const workers: readonly ShelfKind[] = ["profiles", "agents", "plans"];
const crates: readonly ShelfKind[] = ["boxes", "cards", "inputs", "results"];
const nameOf = (kind: ShelfKind): string => kind.charAt(0).toUpperCase() + kind.slice(1);

export const Shelf = memo(function Shelf({ gestures }: { gestures: ReturnType<typeof useGestures> }) {
  const [worker, setWorker] = useState<ShelfKind>("profiles");
  const [crate, setCrate] = useState<ShelfKind>("boxes");
  const [query, setQuery] = useState("");
  return (
    <section aria-label="Shelf" className="shelf" data-panel>
      <header className="flex h-9 flex-none items-center gap-1 px-1.5">
        <Kinds label="Who works" kinds={workers} value={worker} onChange={setWorker} />
        <i aria-hidden className="mx-1.5 h-4 w-px bg-line-2" />
        <Kinds label="What is read" kinds={crates} value={crate} onChange={setCrate} />
        <span className="flex-1" />
        <span className="flex items-center gap-1 text-ink-2 max-[1180px]:hidden">
          Drag up
          <span className="flex items-center gap-1 keyless:hidden">
            or <Kbd keys="n" /> and type
          </span>
        </span>
        <SearchInput
          label="Find on the shelf"
          className="ml-2 w-48"
          value={query}
          maxLength={200}
          onChange={setQuery}
        />
      </header>
      <Row kind={worker} query={query} gestures={gestures} isTrack />
      <Row kind={crate} query={query} gestures={gestures} />
    </section>
  );
});

type KindsProps = { label: string; kinds: readonly ShelfKind[]; value: ShelfKind; onChange: (kind: ShelfKind) => void };

function Kinds({ label, kinds, value, onChange }: KindsProps) {
  return (
    <fieldset aria-label={label} className="flex gap-0.5">
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className="shelf-kind"
          aria-pressed={kind === value}
          onClick={() => onChange(kind)}
        >
          {nameOf(kind)}
        </button>
      ))}
    </fieldset>
  );
}

type RowProps = { kind: ShelfKind; query: string; gestures: ReturnType<typeof useGestures>; isTrack?: boolean };

function Row({ kind, query, gestures, isTrack = false }: RowProps) {
  const { entries, error } = useShelf(kind, query);
  const row = useRef<HTMLUListElement>(null);
  const most = Math.max(1, ...(entries ?? []).map(({ tokens = 0 }) => tokens));
  let rest: ReactNode = null;
  if (error !== null) rest = <li className="px-3 text-st-failed">{error}</li>;
  else if (entries === undefined) rest = skeletons;
  else if (entries.length === 0) rest = <li className="px-3 text-ink-3">{emptyWords(kind, query)}</li>;
  return (
    <ul
      ref={row}
      aria-label={nameOf(kind)}
      className="shelf-row"
      data-track={isTrack ? "" : undefined}
      onKeyDown={(event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        const all = [...(row.current?.querySelectorAll<HTMLElement>("button") ?? [])];
        const at = all.indexOf(document.activeElement as HTMLElement);
        event.preventDefault();
        event.stopPropagation();
        all[at + step]?.focus();
      }}
    >
      {rest ??
        entries?.map((entry, index) => (
          <Entry key={entry.id} entry={entry} isFirst={index === 0} most={most} gestures={gestures} />
        ))}
    </ul>
  );
}

const skeletons = Array.from({ length: 4 }, (_, n) => n).map((n) => (
  <li key={n} className="shelf-entry shelf-skeleton" />
));

function emptyWords(kind: ShelfKind, query: string): string {
  if (query !== "") return `No ${kind} found for “${query}”.`;
  if (kind === "profiles")
    return "No profile is registered, so nothing can be put on the track. Add one on the Profiles page.";
  if (kind === "inputs") return "The plan has no inputs. Add one in the inspector of the plan.";
  if (kind === "results") return "Results of wagons stand here once there are wagons.";
  return `This project has no ${kind} yet.`;
}

type EntryProps = { entry: ShelfEntry; isFirst: boolean; most: number; gestures: ReturnType<typeof useGestures> };

function Entry({ entry, isFirst, most, gestures }: EntryProps) {
  const composing = useComposer();
  const { item } = entry;
  const tokens = entry.tokens ?? totalTokens(entry.consist ?? []);
  return (
    <li>
      <button
        type="button"
        tabIndex={isFirst ? 0 : -1}
        className="shelf-entry"
        data-crate={entry.consist ? "" : undefined}
        title={`${entry.title}: ${entry.note}`}
        onPointerDown={(event) => {
          if (event.button === 0 && item && event.pointerType !== "touch")
            gestures.takeUp(item, event, () => undefined);
        }}
        onClick={({ detail }) => (item ? use(item, detail > 0) : void placePlan(composing, entry.id))}
      >
        {entry.mark ? <AgentMark {...entry.mark} size={16} /> : null}
        {entry.plate ? <span className="mono flex-none text-ink-2">{entry.plate}</span> : null}
        <span className="min-w-0 flex-1 text-left">
          <b dir="auto" className="block truncate">
            {entry.title}
          </b>
          {entry.consist ? null : (
            <span dir="auto" className="block truncate text-ink-3 text-note">
              {entry.note}
            </span>
          )}
        </span>
        <span className={`flex-none ${entry.isWarning ? "text-st-partial" : "text-ink-3"}`}>
          {entry.tokens === undefined ? entry.figure : formatNumber(entry.tokens)}
        </span>
        {entry.consist ? (
          <span className="shelf-consist" style={{ width: `${Math.max(4, (100 * tokens) / most)}%` }}>
            <Consist cards={entry.consist} height={4} />
          </span>
        ) : null}
      </button>
    </li>
  );

  /** Chosen without a drag: behind the selection, or into it. By the mouse, its instruction is what is written next. */
  function use(chosen: Item, isMouse: boolean) {
    const { store, edit } = composing;
    const { plan, selection } = store.get();
    const at = selection.at(-1);
    if ("load" in chosen) {
      if (at === undefined) store.say(`Select the wagon that is to read ${chosen.words}, then choose it again.`);
      else store.change(loading(plan, at.replace(/^gate:/, ""), chosen.load));
    } else {
      // Behind a task it would wait for that task alone; the whole fork is meant, as with N.
      const behind = at === undefined ? undefined : nodeIdOf(at.replace(/^gate:/, ""));
      const isKnown = plan.nodes.some(({ id }) => id === behind);
      const refused = store.change(adding(plan, chosen.made, isKnown && behind !== undefined ? { behind } : {}));
      // When it is drawn: until then the field is that of what was selected before.
      if (!refused && isMouse) requestAnimationFrame(() => edit("instruction"));
    }
  }
}
