"use client";

// What lies on the shelf: the newest of each kind, or what a search finds.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { ConsistCard } from "@/components/ui/consist-segments";
import { formatCount } from "@/components/ui/format";
import { parseConsist } from "@/server/contract/consist";
import { nameOf, ridersOf } from "@/server/contract/plan/plan-words";
import type { Item } from "../canvas/drag";
import { boxName } from "../canvas/use-crate";
import { useComposer, useDrawn } from "../composer-context";
import { plate } from "../drawing/loads";

export type ShelfKind = "profiles" | "agents" | "plans" | "boxes" | "cards" | "inputs" | "results";
export type ShelfEntry = {
  id: string;
  title: string;
  /** Under or behind the title. */
  note: string;
  /** At the right. */
  figure: string;
  isWarning?: boolean;
  mark?: { agentId: string; profile: string };
  plate?: string;
  consist?: ConsistCard[];
  tokens?: number;
  /** Null = it is only to be looked at. */
  item: Item | null;
};

const SHOWN = 50;

export type Shelved = {
  entries: ShelfEntry[] | undefined;
  /** They answer an earlier question. */
  isOld: boolean;
  error: string | null;
};

export function useShelf(kind: ShelfKind, query: string): Shelved {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  // Most kinds say nothing about the plan: a letter typed into it does not draw them again.
  const plan = useDrawn((state) => (kind === "inputs" || kind === "results" ? state.plan : null));
  const asked = { profiles: "profile", agents: "agent", boxes: "box", cards: "card" } as const;
  const isFound = kind in asked;
  const found = useQuery(
    trpc.palette.search.queryOptions(
      {
        project_id: projectId,
        query,
        kinds: [asked[kind as keyof typeof asked] ?? "profile"],
        limit: SHOWN,
      },
      { enabled: isFound, placeholderData: keepPreviousData, staleTime: 3_000 },
    ),
  );
  const plans = useQuery(
    trpc.plan.lines.queryOptions(
      { project_id: projectId, archived: false },
      { enabled: kind === "plans", staleTime: 3_000 },
    ),
  );
  const words = query.toLowerCase();
  // While a search is on its way, what was found before is narrowed here.
  const fits = (entry: ShelfEntry) =>
    (isFound && !found.isPlaceholderData) || `${entry.title} ${entry.note}`.toLowerCase().includes(words);
  const error = (kind === "plans" ? plans.error : isFound ? found.error : null)?.message ?? null;
  return { entries: entriesOf()?.filter(fits), isOld: isFound && found.isPlaceholderData, error };

  function entriesOf(): ShelfEntry[] | undefined {
    const hits = found.data;
    if (kind === "inputs")
      return plan?.inputs.map(({ name, kind: of, required }) => ({
        id: name,
        title: name,
        note: required ? of : `${of}, optional`,
        figure: "",
        item: { words: `Input ${name}`, load: { input: name } },
      }));
    if (kind === "results")
      return (plan ? ridersOf(plan) : []).map(({ place, rider }) => ({
        id: place,
        title: nameOf(rider),
        note: "its deliverable, once it is there",
        figure: "",
        item: { words: nameOf(rider), load: { from: place, take: "deliverable" } },
      }));
    if (kind === "plans")
      return plans.data?.items.map(({ name, description, node_count }) => ({
        id: name,
        title: name,
        note: description,
        figure: `${node_count}`,
        item: null,
      }));
    if (!hits) return undefined;
    if (kind === "profiles")
      return hits.profiles.map((hit) => ({
        id: hit.name,
        title: hit.name,
        note: hit.description ?? hit.worker_target,
        figure: hit.worker_count === 0 ? "no worker" : formatCount(hit.worker_count, "worker"),
        isWarning: hit.worker_count === 0,
        mark: { agentId: hit.name, profile: hit.name },
        item: { words: hit.name, made: { kind: "wagon", target: { strategy: "new", ref: hit.name } } },
      }));
    if (kind === "agents")
      return hits.agents.map((hit) => ({
        id: hit.agent_id,
        title: hit.display_name ?? hit.agent_id,
        note: hit.profile_name,
        figure: hit.head_status,
        mark: { agentId: hit.agent_id, profile: hit.profile_name },
        item: {
          words: hit.display_name ?? hit.agent_id,
          made: {
            kind: "wagon",
            target: { strategy: "reuse", ref: hit.agent_id },
            title: hit.display_name ?? hit.profile_name,
          },
        },
      }));
    if (kind === "boxes")
      return hits.boxes.map((hit) => ({
        id: hit.box_id,
        title: hit.owner_title ?? hit.owner_profile_name ?? boxName(hit),
        note: hit.kind,
        figure: "",
        plate: plate(hit.box_id),
        tokens: hit.token_sum,
        consist: parseConsist(hit.consist),
        item: { words: `Box ${plate(hit.box_id)}`, load: { box: hit.box_id } },
      }));
    return hits.cards.map((hit) => ({
      id: hit.card_id,
      title: hit.excerpt,
      note: hit.type,
      figure: "",
      plate: plate(hit.card_id),
      tokens: hit.token_count,
      consist: [{ role: hit.role, tokens: hit.token_count }],
      item: { words: `Card ${plate(hit.card_id)}`, load: { card: hit.card_id } },
    }));
  }
}
