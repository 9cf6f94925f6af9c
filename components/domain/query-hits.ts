// The hits of one kind as lines: where each leads, its plate, its words, and what it weighs. Pure.

import type { CardRole } from "@/components/ui/card-role";
import { boxPlate } from "@/server/contract/box";
import type { QueryGroup, QueryThing } from "@/server/contract/query-search";
import type { TurnStatus } from "@/server/contract/turn";
import { failureWords } from "./failure-words";

export type Hit = {
  key: string;
  href: string;
  /** Tells what it is at a glance. */
  role?: CardRole;
  status?: TurnStatus;
  plate?: string;
  /** "tool.result", "Demo_Searcher" */
  name: string;
  words: string;
  /** The number of the run it belongs to: headcodes and tasks start again in each run. */
  run?: number;
  /** "1,420 tokens" */
  weight?: { tokens: number };
  created_at: string;
};

export function hitsOf(projectId: string, group: QueryGroup): Hit[] {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const to = (section: string, id: string) => `${base}/${section}/${encodeURIComponent(id)}`;
  switch (group.kind) {
    case "card":
      return group.items.map((card) => ({
        key: card.card_id,
        href: to("cards", card.card_id),
        role: card.role,
        name: card.type,
        words: card.gone === undefined ? (card.excerpt ?? card.title) : `(${card.gone})`,
        weight: { tokens: card.token_count },
        created_at: card.created_at,
      }));
    case "turn":
      return group.items.map((turn) => ({
        key: turn.agent_turn_id,
        href: to("turns", turn.agent_turn_id),
        status: turn.status,
        plate: turn.headcode,
        name: turn.profile_name,
        words: [failureWords(turn.error_code), turn.title].filter(Boolean).join(": "),
        run: turn.run_number,
        weight: { tokens: turn.token_count },
        created_at: turn.created_at,
      }));
    case "box":
      return group.items.map((box) => ({
        key: box.box_id,
        href: to("boxes", box.box_id),
        plate: boxPlate(box.box_id),
        name: box.kind,
        words: [box.owner_headcode, box.owner_profile_name, box.owner_title].filter(Boolean).join(" "),
        run: box.run_number,
        weight: { tokens: box.token_sum },
        created_at: box.created_at,
      }));
    default:
      return group.items.map((thing) => thingHit(base, group.kind, thing));
  }
}

type ThingKind = Exclude<QueryGroup["kind"], "card" | "turn" | "box">;

const sections = { agent: "agents", profile: "profiles", batch: "batches", pack: "packs" } as const;

function thingHit(base: string, kind: ThingKind, { id, title, detail, created_at }: QueryThing): Hit {
  const name = encodeURIComponent(id);
  return {
    key: id,
    href: kind === "run" ? `${base}?run=${name}` : `${base}/${sections[kind]}/${name}`,
    name: title,
    words: detail ?? "",
    created_at,
  };
}
