// What lists and rulers draw: a card without its content, a box as weights, a turn as a link.
// A list of 10,000 cards with content crashed the browser, so content is read only when it is opened.

import type { Agent } from "./agent";
import type { Box, BoxKind, Origin } from "./box";
import type { Card, Role } from "./card";
import type { RunFrame, TurnFrame } from "./frame";
import type { Receipt } from "./pack";
import type { SeenWhy } from "./sightings";

/** A card as one line of a list. `title` is its first words, at most 240 letters. */
export type CardLine = {
  card_id: string;
  type: string;
  role: Role;
  author_id: string;
  token_count: number;
  title: string;
  /** In search results: the text around the first hit, unless the title shows one. */
  excerpt?: string;
  gone?: "deleted" | "expired";
  /** The original of this redacted copy. */
  redacted_from?: string;
  agent_turn_id?: string;
  created_at: string;
};

/** A line with its position in a box, from 0. */
export type BoxLine = CardLine & { position: number; origin: Origin };

/** `name`: the display name of an author that is an agent. */
export type Facet = { value: string; name?: string; cards: number };

/** Filters for cards, counted over the newest `counted`; `is_all` = that is all of them. Authors: the busiest 50. */
export type CardFacets = { counted: number; is_all: boolean; types: Facet[]; roles: Facet[]; authors: Facet[] };

/** Roles (S U A T) and tokens from `from` on, one letter and one number a card: 10,000 cards take about 50 kB. */
export type BoxWeights = { box_id: string; from: number; roles: string; tokens: number[] };

/** A turn as a link. */
export type TurnRef = Pick<
  TurnFrame,
  "agent_turn_id" | "root_turn_id" | "headcode" | "agent_id" | "profile_name" | "is_human" | "status" | "title"
> & { created_at: string };

/** How a turn relates to a box: read it, wrote it, or is named as its owner. */
export type BoxUse = "context" | "output" | Exclude<BoxKind, "context" | "output">;

/** The step that an import names as the mistake. */
export type CardMark = {
  card_id: string;
  reason: string;
  agent_turn_id: string;
  headcode: string;
  profile_name: string;
};

/** A turn that reads or writes a box, and how full its window is. */
export type BoxTurn = TurnRef & { use: BoxUse } & Pick<TurnFrame, "window_tokens" | "sent_tokens" | "fullest_tokens">;

/** One box without its cards. `cursor` matches it: apply the frames after it. */
export type BoxSheet = Box & {
  cursor: string;
  receipt?: Receipt;
  /** Turns that read or write it, newest first, at most 50 of `turn_count`. */
  turns: BoxTurn[];
  turn_count: number;
  run?: Pick<RunFrame, "root_turn_id" | "number" | "title" | "source">;
  /** Set if it is a profile box. */
  profile_name?: string;
  /** What the provider reported for the request shown by the newest reader's gauge. */
  reported_tokens?: number;
  /** Every origin in it with its number of cards; for a box or a turn also the headcode and id behind it. */
  origins: { origin: Origin; cards: number; headcode?: string; agent_turn_id?: string }[];
  marks: CardMark[];
};

/** A box that holds a card, and where. */
export type CardPlace = Pick<Box, "box_id" | "kind" | "length" | "created_at"> & {
  position: number;
  origin: Origin;
  headcode?: string;
};

/** context: handed over. memory: in the output box before the turn. output: written. request: in a prompt. */
export type SeenAs = "context" | "memory" | "output" | "request";

/** Who saw a card, with links. Requests are counted, not listed as boxes. Lists are capped, totals are not. */
export type CardSightings = {
  boxes: CardPlace[];
  box_count: number;
  turns: (TurnRef & { as: SeenAs[]; why: SeenWhy[] })[];
  turn_count: number;
  agent_count: number;
  /** Model calls whose request contained it. */
  request_count: number;
  /** There are more places than were looked at: all but box_count is of the newest so many. */
  looked_at?: number;
  first_seen?: string;
  last_seen?: string;
};

/** One card with where it came from and who saw it. */
export type CardSheet = Card & {
  /** The turn that wrote it. */
  written_by?: TurnRef;
  /** The call of a result, or the result of a call. */
  answers?: { card_id: string; type: string };
  redacted_from?: string;
  marks: CardMark[];
  /** Frames after it are news. */
  live_cursor: string;
};

/** An agent as one line: what it does now, and the names of its owner and its origin. */
export type AgentLine = Agent & {
  turn_count: number;
  /** Its version of the profile names no model. Only a worker of the project's own takes its turns. */
  needs_own_worker: boolean;
  active_turn?: TurnRef;
  owner_profile_name?: string;
  derived_profile_name?: string;
};

/** `live_cursor` matches the lines: frames after it say which to read again. */
export type CardPage = { items: CardLine[]; next_cursor?: string; live_cursor: string };
export type AgentPage = { items: AgentLine[]; next_cursor?: string; live_cursor: string };

/** Who made, derived or changed whom. A person or an import may have no profile. */
export type IdentityEdge = {
  edge_id: string;
  action: "provision" | "derive" | "update";
  source_agent_id?: string;
  source_profile_name?: string;
  target_agent_id: string;
  target_profile_name?: string;
  created_at: string;
};

export type AgentSheet = AgentLine & {
  identity_edges: IdentityEdge[];
  identity_edge_count: number;
  live_cursor: string;
};
