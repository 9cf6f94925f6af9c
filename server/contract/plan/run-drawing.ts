// A plan run as the composer draws it: the body that runs, how its nodes stand, and the turn at each place.
import type { Role } from "../card";
import type { TurnStatus } from "../turn";
import type { PlanRunDetail } from "./plan-run";

/** The newest try of a wagon, an ask or a task. */
export type PlaceTurn = {
  /** A node, or fork.task. */
  place: string;
  agent_turn_id: string;
  headcode: string;
  status: TurnStatus;
  note?: string;
  error?: string;
  context_consist: string;
  context_tokens: number;
  /** Cards that it wrote, in tokens. */
  output_consist: string;
  output_tokens: number;
  window_tokens?: number;
  /** As its provider counts them. */
  tokens_in: number;
  tokens_out: number;
  /** US dollars; absent = no price is known. */
  cost?: number;
  started_at?: string;
  ended_at?: string;
  /** The number of the run whose recorded result stands here; absent = it ran in this one. */
  as_in_run?: number;
};

/** A turn of the run that the plan does not draw: an agent called it, or a person added it. */
export type AddedTurn = {
  agent_turn_id: string;
  headcode: string;
  /** The profile, or the agent's own name. */
  name: string;
  status: TurnStatus;
  note?: string;
  context_consist: string;
  output_consist: string;
  window_tokens?: number;
  /** Who called it: a turn at a place, or another added one. Absent = a person, or a turn that is not shown. */
  caller_turn_id?: string;
};

/** What the gate of a fork with a join policy has seen: the newest batch of the node. */
export type RunGate = {
  node_id: string;
  batch_id: string;
  /** Places in the order of their arrival. */
  arrivals: string[];
  /** Places that came after the gate had closed, or are still out. */
  late: string[];
};

export type RunNamed = { plan_run_id: string; root_turn_id: string; run_number: number };
export type RunEdit = { n: number; by: string; ops: number; reason: string; created_at: string };

export type RunDrawing = {
  run: PlanRunDetail;
  run_number: number;
  turns: PlaceTurn[];
  gates: RunGate[];
  /** The newest ADDED_MAX. */
  added: AddedTurn[];
  /** The run that it is a fork of, and the forks of it, newest first. */
  source?: RunNamed;
  forks: RunNamed[];
  /** Newest first. */
  edits: RunEdit[];
  live_cursor: string;
};

export const ADDED_MAX = 100;

/** One card, or one side that has none at that place. */
export type DifferingCard = { card_id: string; type: string; role: Role; text: string };

/** Two turns of one place. */
export type TurnDifference = {
  /** The first card that is another, counted from 0. Absent = they were given the same. */
  context?: { index: number; a?: DifferingCard; b?: DifferingCard; cards_a: number; cards_b: number };
  /** Absent on a side that has delivered nothing. */
  deliverable: { a?: DifferingCard; b?: DifferingCard };
};
