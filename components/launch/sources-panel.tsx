"use client";

// Everything that may be handed over: the newest boxes, and what a search by plate, id, type or words finds.
import { useState } from "react";
import { SkeletonRows } from "@/components/ui/skeleton";
import { SearchInput } from "@/components/ui/text-input";
import { hasItem, type LoadItem, toggled } from "./load-item";
import { SourceBox } from "./source-box";
import { SourceCard } from "./source-card";
import { useSearch } from "./use-search";

export type SourcesPanelProps = {
  projectId: string;
  load: readonly LoadItem[];
  onLoad: (load: readonly LoadItem[]) => void;
};

const SHOWN_MAX = 30;

export function SourcesPanel({ projectId, load, onLoad }: SourcesPanelProps) {
  const [query, setQuery] = useState("");
  const { hits, isSearching, error } = useSearch({ projectId, query, kinds: ["box", "card"], limit: SHOWN_MAX });
  const hasQuery = query.trim() !== "";
  const foundCards = hasQuery ? (hits?.cards ?? []) : [];
  return (
    <section aria-label="Sources" className="launch-sources">
      <header className="px-3.5 pt-3 pb-2">
        <div className="mb-2 flex items-baseline gap-2">
          <h3 className="font-semibold">Sources</h3>
          <span className="flex-1" />
          <span className="truncate text-ink-3">boxes and cards of this project</span>
        </div>
        <SearchInput label="Find a box or card" value={query} onChange={setQuery} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto pb-3" aria-busy={isSearching}>
        {error === null ? null : <p className="px-3.5 py-2 text-st-failed">{error}</p>}
        {hits === undefined && error === null ? (
          <SkeletonRows count={7} rowHeight={32} label="Looking for boxes" />
        ) : null}
        <ul>
          {hits?.boxes.map((hit) => (
            <SourceBox
              key={hit.box_id}
              projectId={projectId}
              hit={hit}
              isIn={hasItem(load, { kind: "box", id: hit.box_id })}
              load={load}
              onToggle={() => onLoad(toggled(load, { kind: "box", id: hit.box_id }))}
              onToggleCard={(id) => onLoad(toggled(load, { kind: "card", id }))}
            />
          ))}
        </ul>
        {foundCards.length === 0 ? null : (
          <>
            <h4 className="px-3.5 pt-3 pb-1 text-ink-3 text-note">Cards</h4>
            <ul>
              {foundCards.map((hit) => (
                <SourceCard
                  key={hit.card_id}
                  cardId={hit.card_id}
                  role={hit.role}
                  title={hit.excerpt}
                  type={hit.type}
                  tokens={hit.token_count}
                  isIn={hasItem(load, { kind: "card", id: hit.card_id })}
                  onToggle={() => onLoad(toggled(load, { kind: "card", id: hit.card_id }))}
                />
              ))}
            </ul>
          </>
        )}
        {hits !== undefined && hits.boxes.length + foundCards.length === 0 ? (
          <p className="px-3.5 py-2 text-ink-2">
            {hasQuery
              ? `No box or card contains “${query.trim()}”.`
              : "No boxes yet. The first turn or import creates them. You can launch without any."}
          </p>
        ) : null}
        {hits?.more.includes("box") || (hasQuery && hits?.more.includes("card")) ? (
          <p className="px-3.5 pt-2 text-ink-3 text-note">
            {hasQuery
              ? `The first ${SHOWN_MAX} of each kind. Add a word to narrow the search.`
              : `The newest ${SHOWN_MAX}. Search to find the others.`}
          </p>
        ) : null}
      </div>
    </section>
  );
}
