// A batch as its pages need it: a line of the list, and the board with what every branch fed into the join.
import type { Batch, BatchTask } from "./batch";
import type { RunFrame, TurnFrame } from "./frame";
import type { CardLine, TurnRef } from "./line";
import type { Page } from "./page";
import type { StepTime } from "./spans";
import type { TurnStatus } from "./turn";

/** What a branch's lamp shows: its turn's status, or that it has no turn yet. */
export type LaneStatus = TurnStatus | "pending";

export type BatchRun = Pick<RunFrame, "root_turn_id" | "number" | "title" | "source">;

export type BatchLine = Batch & {
  /** Its place among the batches of its run, from 1: B1, B2. */
  number: number;
  run?: BatchRun;
  parent?: TurnRef;
  /** In task_index order. */
  lanes: LaneStatus[];
};

/** `live_cursor` is true for the lines: frames after it complete them. */
export type BatchPage = Page<BatchLine> & { live_cursor: string };

/** A task with the turn that carries it out, when its models were called, and the first words of what it delivered. */
export type Branch = BatchTask & {
  turn?: TurnFrame;
  steps: StepTime[];
  deliverable?: CardLine;
};

/** What the parent was given: a result of its call, or, for a person who forked, the deliverable of their turn. */
export type JoinCard = {
  card_id: string;
  type: "tool.result" | "task.deliverable";
  /** The join's result, or the error in its place. */
  result?: unknown;
  token_count: number;
  created_at: string;
  /** When the parent's turn took it up; absent while it has not. */
  applied_at?: string;
};

/** `cursor` is true for all of it: frames after it complete it. `tasks` may be those alone that were asked for. */
export type BatchSheet = Batch & {
  number: number;
  run?: BatchRun;
  parent?: TurnFrame;
  tasks: Branch[];
  join?: JoinCard;
  /** Dispatches of one branch before it is given up. */
  attempts_max: number;
  cursor: string;
};

/** How much of their context boxes all branches share, from the front. */
export type SharedStart = { cards: number; tokens: number };
