// One search over everything with a name in a project: for the palette, and for what a launch hands over.
import * as z from "zod";
import type { BoxKind } from "./box";
import type { Role } from "./card";
import { Id } from "./ids";
import type { TurnStatus } from "./turn";

export const searchKinds = ["turn", "run", "box", "card", "agent", "profile"] as const;
export type SearchKind = (typeof searchKinds)[number];

export const SearchInput = z.strictObject({
  project_id: Id,
  /** Empty = the newest of each kind. */
  query: z.string().max(200).default(""),
  kinds: z
    .array(z.enum(searchKinds))
    .min(1)
    .max(searchKinds.length)
    .default([...searchKinds]),
  /** A turn of the run that is open: of turns that fit, those of its run come first. */
  near_turn: Id.optional(),
  /** Of each kind. */
  limit: z.int().min(1).max(50).default(8),
});
export type SearchInput = z.infer<typeof SearchInput>;

export type TurnHit = {
  agent_turn_id: string;
  root_turn_id: string;
  run_number: number;
  agent_id: string;
  is_human: boolean;
  headcode: string;
  title: string;
  profile_name: string;
  status: TurnStatus;
  note?: string;
  error_code?: string;
  error?: string;
  context_cards: number;
  context_tokens: number;
  context_consist: string;
  window_tokens?: number;
  sent_tokens?: number;
  fullest_tokens?: number;
  created_at: string;
  started_at?: string;
  ended_at?: string;
};

export type RunHit = {
  root_turn_id: string;
  number: number;
  title: string;
  source: "launch" | "import" | "demo";
  turn_count: number;
  failed_turns: number;
  created_at: string;
};

export type BoxHit = {
  box_id: string;
  kind: BoxKind;
  length: number;
  token_sum: number;
  consist: string;
  /** The turn that reads or writes it. */
  owner_headcode?: string;
  owner_profile_name?: string;
  owner_title?: string;
  run_number?: number;
  /** How its first card begins, at most 80 characters. Only from a search, and only of a box that belongs to no turn. */
  opening?: string;
  created_at: string;
};

export type CardHit = {
  card_id: string;
  type: string;
  role: Role;
  author_id: string;
  token_count: number;
  /** The text around the hit, or its beginning; at most 240 characters. */
  excerpt: string;
  /** One of the boxes that hold it. */
  box_id?: string;
  created_at: string;
};

export type AgentHit = {
  agent_id: string;
  profile_name: string;
  display_name?: string;
  worker_target: string;
  /** Workers that could take its turns now, as in a dry run. */
  worker_count: number;
  needs_own_worker: boolean;
  head_status: "idle" | "dispatched" | "running" | "suspended";
  queued_count: number;
  turn_count: number;
  last_output_box_id?: string;
  last_seen_at?: string;
};

export type ProfileHit = {
  profile_box_id: string;
  name: string;
  description?: string;
  worker_target: string;
  /** Workers that could take its turns now, as in a dry run. */
  worker_count: number;
  needs_own_worker: boolean;
  tags: string[];
  updated_at: string;
};

/**
 * Best first. A kind that was not asked for is empty. `more` names kinds with further hits; `partial` those of which only the
 * newest `looked_at` were searched for words: older ones are found by id, headcode or number.
 */
export type SearchHits = {
  turns: TurnHit[];
  runs: RunHit[];
  boxes: BoxHit[];
  cards: CardHit[];
  agents: AgentHit[];
  profiles: ProfileHit[];
  more: SearchKind[];
  partial: SearchKind[];
  looked_at: number;
};
