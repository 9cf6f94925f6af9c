"use client";

// What the palette finds in a project: turns, runs, boxes, context packs, cards, agents and profiles, asked of the server while one
// types. Words find by any part of a name; a query of the search language finds what it says.
import { useMemo } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { type CommandItem, type CommandSource, useCommands } from "@/components/ui/commands";
import type { SearchHits, SearchKind } from "@/server/contract/search";
import { isPlainWords } from "@/server/contract/search-query/is-plain";
import { createAsk } from "./ask-query";
import { agentItem, boxItem, cardItem, profileItem, runItem, turnItem, viewItem } from "./hit-items";
import { lookedAtForWords } from "./looked-at";
import { openTurn } from "./open-turn";
import { packSource } from "./pack-source";

export function SearchCommands({ projectId }: { projectId: string }) {
  const client = useTRPCClient();
  const sources = useMemo(() => {
    const asked = createAsk(client, projectId);
    const source = (
      id: string,
      group: CommandSource["group"],
      kind: SearchKind,
      items: (hits: SearchHits, query: string) => CommandItem[],
    ): CommandSource => {
      let last: { query: string; hits: SearchHits } | null = null;
      return {
        id,
        group,
        async search(query, signal) {
          if (!isPlainWords(query)) return asked.items(query, [kind], signal);
          // The newest cards are no answer to an empty question.
          if (kind === "card" && query === "") return [];
          const near_turn = kind === "turn" ? openTurn(window.location) : undefined;
          const given = { project_id: projectId, query, kinds: [kind], limit: LIMIT, ...(near_turn && { near_turn }) };
          const hits = await client.palette.search.query(given, { signal });
          last = { query, hits };
          return items(hits, query);
        },
        lookedAt: async (query) => (last?.query === query ? lookedAtForWords(last.hits) : []),
      };
    };
    return {
      turns: source("found-turns", "turns", "turn", (hits) => hits.turns.map((hit) => turnItem(projectId, hit))),
      runs: source("found-runs", "show", "run", (hits) => hits.runs.map((hit) => runItem(projectId, hit))),
      boxes: source("found-boxes", "boxes", "box", (hits) => hits.boxes.map((hit) => boxItem(projectId, hit))),
      agents: source("found-agents", "agents", "agent", (hits) => hits.agents.map((hit) => agentItem(projectId, hit))),
      profiles: source("found-profiles", "agents", "profile", (hits) =>
        hits.profiles.map((hit) => profileItem(projectId, hit)),
      ),
      packs: packSource(client, projectId, (query, signal) => asked.items(query, ["pack", "batch"], signal)),
      cards: source("found-cards", "cards", "card", (hits, query) =>
        hits.cards.map((hit) => cardItem(projectId, hit, query)),
      ),
      views: {
        id: "saved-views",
        group: "show",
        search: async (query, signal) => {
          const words = query.toLowerCase();
          const views = await client.view.list.query({ project_id: projectId }, { signal });
          const fit = views.filter((view) => `${view.name} ${view.query}`.toLowerCase().includes(words));
          return fit.slice(0, LIMIT).map((view) => viewItem(projectId, view));
        },
      } satisfies CommandSource,
      page: { id: "found-page", group: "show", search: asked.page, lookedAt: asked.lookedAt } satisfies CommandSource,
    };
  }, [client, projectId]);
  useCommands(sources.turns);
  useCommands(sources.runs);
  useCommands(sources.boxes);
  useCommands(sources.packs);
  useCommands(sources.agents);
  useCommands(sources.profiles);
  useCommands(sources.cards);
  useCommands(sources.views);
  useCommands(sources.page);
  return null;
}

const LIMIT = 8;
