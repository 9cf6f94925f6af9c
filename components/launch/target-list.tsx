"use client";

// The profiles or agents to choose from: typed into, walked with the arrows, chosen with Enter.
import { Command } from "cmdk";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useState } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { Icon } from "@/components/ui/icon";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { AgentHit, SearchHits } from "@/server/contract/search";
import type { TargetStrategy } from "@/server/contract/turn";
import { AgentFacts, ProfileFacts } from "./target-rows";
import { useSearch } from "./use-search";

export type TargetListProps = {
  projectId: string;
  strategy: TargetStrategy;
  chosen: string | null;
  /** What was typed on the button before the list was open. */
  typed: string;
  onChoose: (targetRef: string) => void;
};

const SHOWN_MAX = 50;

export function TargetList({ projectId, strategy, chosen, typed, onChoose }: TargetListProps) {
  const [query, setQuery] = useState(typed);
  const [cursor, setCursor] = useState<string | null>(null);
  const [isEnterHeld, setIsEnterHeld] = useState(false);
  const kind = strategy === "new" ? "profile" : "agent";
  const { hits, error, isSearching } = useSearch({ projectId, query, kinds: [kind], limit: SHOWN_MAX });
  const words = kind === "profile" ? "profiles" : "agents";
  const options = useMemo(() => optionsOf(hits, strategy), [hits, strategy]);
  const current = cursor !== null && options.includes(cursor) ? cursor : (options[0] ?? "");

  const choose = useEffectEvent(onChoose);
  // Enter may come before the answer. The rows still shown answer an older question, and choosing the first one launched
  // another profile; so the key waits for its own answer.
  useEffect(() => {
    if (!isEnterHeld || isSearching) return;
    setIsEnterHeld(false);
    if (current !== "") choose(current);
  }, [isEnterHeld, isSearching, current]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !isSearching) return;
    event.preventDefault();
    setIsEnterHeld(true);
  }

  return (
    <Command
      shouldFilter={false}
      label={`Search ${words}`}
      value={current}
      onValueChange={setCursor}
      onKeyDown={onKeyDown}
      className="flex min-h-0 flex-col"
    >
      <div className="flex h-9 flex-none items-center gap-2 border-line border-b px-2.5">
        <Icon name="search" size={14} className="text-ink-3" />
        <Command.Input
          value={query}
          onValueChange={(text) => {
            setQuery(text);
            setCursor(null);
            setIsEnterHeld(false);
          }}
          placeholder={`Find ${kind === "profile" ? "a profile" : "an agent"}`}
          className="min-w-0 flex-1 bg-transparent outline-none"
        />
      </div>
      <Command.List className="max-h-76 overflow-y-auto p-1">
        {error === null ? null : <p className="px-2 py-2 text-st-failed">{error}</p>}
        {hits === undefined && error === null ? <SkeletonRows count={4} rowHeight={36} /> : null}
        {hits?.profiles.map((hit) => (
          <Command.Item
            key={hit.name}
            value={hit.name}
            onSelect={() => onChoose(hit.name)}
            className="launch-option"
            data-chosen={chosen === hit.name || undefined}
          >
            <AgentMark agentId={hit.name} profile={hit.name} size={18} />
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="flex min-w-0 items-center gap-2">
                <b dir="auto" className="truncate">
                  {hit.name}
                </b>
                <ProfileFacts hit={hit} />
              </span>
              {hit.description === undefined ? null : (
                <span dir="auto" className="truncate text-ink-3 text-note">
                  {hit.description}
                </span>
              )}
            </span>
          </Command.Item>
        ))}
        {hits?.agents.map((hit) => {
          const hasNothing = !canBeTaken(hit, strategy);
          return (
            <Command.Item
              key={hit.agent_id}
              value={hit.agent_id}
              disabled={hasNothing}
              onSelect={() => onChoose(hit.agent_id)}
              className="launch-option"
              data-chosen={chosen === hit.agent_id || undefined}
            >
              <AgentMark agentId={hit.agent_id} profile={hit.profile_name} size={18} />
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="flex min-w-0 items-center gap-2">
                  <b dir="auto" className="truncate">
                    {hit.display_name ?? hit.agent_id}
                  </b>
                  <AgentFacts hit={hit} />
                </span>
                <span className="truncate text-ink-3 text-note">
                  {hit.profile_name}, {hasNothing ? "has written nothing to clone yet" : turnsOf(hit.turn_count)}
                </span>
              </span>
            </Command.Item>
          );
        })}
        {hits !== undefined && hits.profiles.length + hits.agents.length === 0 ? (
          <p className="px-2 py-3 text-ink-2">
            {query === "" ? `This project has no ${words} yet.` : `No ${words} found for “${query}”.`}
          </p>
        ) : null}
        {hits !== undefined && hits.more.length > 0 ? (
          <p className="px-2 py-1.5 text-ink-3 text-note">The first {SHOWN_MAX}; type to find the others.</p>
        ) : null}
      </Command.List>
    </Command>
  );
}

/** What Enter and the arrows reach, in the order it is shown. */
const optionsOf = (hits: SearchHits | undefined, strategy: TargetStrategy): string[] =>
  hits === undefined
    ? []
    : [
        ...hits.profiles.map((hit) => hit.name),
        ...hits.agents.filter((hit) => canBeTaken(hit, strategy)).map((hit) => hit.agent_id),
      ];

const canBeTaken = (hit: AgentHit, strategy: TargetStrategy): boolean =>
  strategy !== "clone" || hit.last_output_box_id !== undefined || hit.head_status !== "idle";

const turnsOf = (count: number): string => (count === 1 ? "1 turn" : `${count} turns`);
