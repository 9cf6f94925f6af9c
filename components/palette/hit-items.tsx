// What was found, as rows of the palette.

import { failureWords } from "@/components/domain/failure-words";
import { pageNames, viewHref } from "@/components/domain/view-href";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import type { CommandItem } from "@/components/ui/commands";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { plainWords } from "@/components/ui/plain-words";
import { RoleTag } from "@/components/ui/role-tag";
import { Ago, Elapsed } from "@/components/ui/time";
import { boxPlate } from "@/server/contract/box";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { SavedView } from "@/server/contract/saved-view";
import type { AgentHit, BoxHit, CardHit, ProfileHit, RunHit, TurnHit } from "@/server/contract/search";
import { BoxPreview, CardPreview, TurnPreview } from "./hit-previews";

const href = (projectId: string, path = "") => `/p/${encodeURIComponent(projectId)}${path}`;

export const turnItem = (projectId: string, hit: TurnHit): CommandItem => ({
  id: `turn-${hit.agent_turn_id}`,
  plate: hit.headcode,
  label: plainWords(hit.title) || hit.profile_name,
  icon: <Aspect status={hit.status} size={16} label={null} />,
  // The run first: a long title leaves room for little, and turns of several runs read the same without it.
  detail: [`run ${hit.run_number}`, hit.is_human ? "you" : hit.profile_name, failureWords(hit.error_code)]
    .filter((part) => part !== undefined)
    .join(", "),
  words: [hit.status, hit.error_code].join(" "),
  trailing:
    hit.started_at === undefined ? undefined : (
      <Elapsed since={hit.started_at} until={hit.ended_at} className="text-ink-3" />
    ),
  preview: () => <TurnPreview hit={hit} />,
  actionLabel: "Open turn",
  href: href(projectId, `/turns/${encodeURIComponent(hit.agent_turn_id)}`),
});

export const runItem = (projectId: string, hit: RunHit): CommandItem => ({
  id: `run-${hit.root_turn_id}`,
  label: `Run ${hit.number}`,
  icon: <Icon name="turns" />,
  detail: hit.failed_turns > 0 ? `${plainWords(hit.title)}, ${hit.failed_turns} failed` : plainWords(hit.title),
  trailing: <Ago at={hit.created_at} className="text-ink-3" />,
  actionLabel: "Open run",
  href: href(projectId, `?run=${hit.root_turn_id}`),
});

export const boxItem = (projectId: string, hit: BoxHit): CommandItem => ({
  id: `box-${hit.box_id}`,
  plate: boxPlate(hit.box_id),
  label: `${hit.kind} box`,
  icon: <Icon name="boxes" />,
  detail: hit.owner_headcode === undefined ? undefined : `${hit.owner_profile_name ?? ""} ${hit.owner_headcode}`.trim(),
  trailing: <span className="text-ink-3">{formatCount(hit.length, "card")}</span>,
  preview: () => <BoxPreview hit={hit} />,
  actionLabel: "Open box",
  href: href(projectId, `/boxes/${hit.box_id}`),
});

export const packItem = (projectId: string, pack: PackRecord): CommandItem => ({
  id: `pack-${pack.sha256}`,
  plate: pack.code,
  label: pack.title,
  icon: <Icon name="packs" />,
  detail: `context pack, ${pack.kind}`,
  trailing: <span className="text-ink-3">{formatNumber(pack.estimate)} tokens</span>,
  actionLabel: "Open context pack",
  href: href(projectId, `/packs/${pack.sha256}`),
});

export const cardItem = (projectId: string, hit: CardHit, query: string): CommandItem => ({
  id: `card-${hit.card_id}`,
  label: hit.type,
  isMono: true,
  icon: <RoleTag cardRole={hit.role} />,
  detail: hit.excerpt.replace(/\s+/g, " ").trim(),
  trailing: hit.box_id === undefined ? undefined : <BoxId code={boxPlate(hit.box_id)} />,
  preview: () => <CardPreview hit={hit} query={query} />,
  actionLabel: "Open card",
  href: href(projectId, `/cards/${hit.card_id}`),
});

export const agentItem = (projectId: string, hit: AgentHit): CommandItem => ({
  id: `agent-${hit.agent_id}`,
  label: hit.display_name ?? hit.agent_id,
  icon: <AgentMark agentId={hit.agent_id} profile={hit.profile_name} size={18} />,
  detail: `${hit.profile_name}, ${hit.head_status}`,
  words: hit.agent_id,
  trailing: <span className="text-ink-3">{formatCount(hit.turn_count, "turn")}</span>,
  actionLabel: "Open agent",
  href: href(projectId, `/agents/${hit.agent_id}`),
});

export const profileItem = (projectId: string, hit: ProfileHit): CommandItem => ({
  id: `profile-${hit.name}`,
  label: hit.name,
  icon: <Icon name="profiles" />,
  detail:
    hit.worker_count > 0
      ? `profile, ${hit.worker_target}`
      : `profile, no worker for ${hit.needs_own_worker ? "it" : hit.worker_target}`,
  words: "profile",
  actionLabel: "Open profile",
  href: href(projectId, `/profiles/${encodeURIComponent(hit.name)}`),
});

export const viewItem = (projectId: string, view: SavedView): CommandItem => ({
  id: `view-${view.name}`,
  label: view.name,
  icon: <Icon name="save" />,
  detail: view.query,
  words: "saved view query",
  trailing: <span className="text-ink-3">{pageNames[view.page]}</span>,
  actionLabel: "Open view",
  href: viewHref(projectId, view),
});
