"use client";

// What a query in the search language finds, as lines of the palette; and where a query cannot be read, with the way to mend it.
import type { ReactNode } from "react";
import type { QueryFault } from "@/components/domain/query-fault";
import { type Hit, hitsOf } from "@/components/domain/query-hits";
import { Aspect } from "@/components/ui/aspect";
import type { CommandItem } from "@/components/ui/commands";
import { formatNumber } from "@/components/ui/format";
import { Icon, type IconName } from "@/components/ui/icon";
import { RoleTag } from "@/components/ui/role-tag";
import type { QueryGroup } from "@/server/contract/query-search";
import type { QueryKind } from "@/server/contract/search-query/fields";

export const queryItems = (projectId: string, group: QueryGroup): CommandItem[] =>
  hitsOf(projectId, group).map((hit) => ({
    id: `${group.kind}-${hit.key}`,
    ...(hit.plate !== undefined && { plate: hit.plate }),
    label: hit.name,
    icon: iconOf(hit, group.kind),
    detail: [hit.run === undefined ? "" : `run ${hit.run}`, hit.words.replaceAll(/\s+/g, " ").trim()]
      .filter(Boolean)
      .join(", "),
    trailing:
      hit.weight === undefined ? undefined : (
        <span className="text-ink-3">{formatNumber(hit.weight.tokens)} tokens</span>
      ),
    actionLabel: `Open ${nouns[group.kind]}`,
    href: hit.href,
  }));

export const pageItem = (projectId: string, query: string): CommandItem => ({
  id: "search-page",
  label: `Search for ${query}`,
  icon: <Icon name="search" />,
  detail: "all hits, with counts that narrow them",
  actionLabel: "Open search",
  href: `/p/${encodeURIComponent(projectId)}/search?q=${encodeURIComponent(query)}`,
});

export const faultItem = (projectId: string, query: string, { column, message }: QueryFault): CommandItem => ({
  ...pageItem(projectId, query),
  id: "search-fault",
  label: column > 0 ? `Column ${column}: ${message}` : message,
  icon: <Icon name="warn" className="text-st-partial" />,
  detail: query,
  actionLabel: "Mend it in search",
});

function iconOf({ role, status }: Hit, kind: QueryKind): ReactNode {
  if (role !== undefined) return <RoleTag cardRole={role} />;
  if (status !== undefined) return <Aspect status={status} size={16} label={null} />;
  return <Icon name={icons[kind]} />;
}

const icons: Record<QueryKind, IconName> = {
  card: "cards",
  box: "boxes",
  turn: "turns",
  run: "turns",
  agent: "agents",
  profile: "profiles",
  batch: "batches",
  pack: "packs",
};
const nouns: Record<QueryKind, string> = {
  card: "card",
  box: "box",
  turn: "turn",
  run: "run",
  agent: "agent",
  profile: "profile",
  batch: "batch",
  pack: "context pack",
};
