// A plan run as the composer draws it: the body that runs, how its nodes stand, and the turn at each place.
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
  started_at?: string;
  ended_at?: string;
};

export type RunDrawing = { run: PlanRunDetail; run_number: number; turns: PlaceTurn[]; live_cursor: string };
