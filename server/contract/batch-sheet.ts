// A batch as its pages need it: a line of the list, and the board with what each branch gave the join.
import type { Batch, BatchTask } from "./batch";
import type { RunFrame, TurnFrame } from "./frame";
import type { CardLine, TurnRef } from "./line";
import type { Page } from "./page";
import type { StepTime } from "./spans";
import type { TurnStatus } from "./turn";

/** What a branch's lamp shows: its turn's status, or no turn yet. */
export type LaneStatus = TurnStatus | "pending";

export type BatchRun = Pick<RunFrame, "root_turn_id" | "number" | "title" | "source">;

export type BatchLine = Batch & {
  /** Its number among the forks of its run, from 1: B1, B2. Absent for a question to an expert. */
  number?: number;
  run?: BatchRun;
  parent?: TurnRef;
  /** In task_index order. */
  lanes: LaneStatus[];
};

/** `live_cursor` matches the lines: apply the frames after it. */
export type BatchPage = Page<BatchLine> & { live_cursor: string };

/** A task with its turn, when its models were called, and the first words of its deliverable. */
export type Branch = BatchTask & {
  turn?: TurnFrame;
  steps: StepTime[];
  deliverable?: CardLine;
};

/** What the parent got: the result of its call or, if a person forked, the deliverable of their turn. */
export type JoinCard = {
  card_id: string;
  type: "tool.result" | "task.deliverable";
  /** The join's result, or the error instead. */
  result?: unknown;
  token_count: number;
  created_at: string;
  /** When the parent's turn resumed with it; absent until then. */
  applied_at?: string;
};

/** `cursor` matches all of it: apply the frames after it. `tasks` may hold only those asked for. */
export type BatchSheet = Batch & {
  /** As in BatchLine. */
  number?: number;
  run?: BatchRun;
  parent?: TurnFrame;
  tasks: Branch[];
  join?: JoinCard;
  /** Dispatches of one branch before it fails for good. */
  attempts_max: number;
  cursor: string;
};

/** How many leading cards of their context boxes all branches share. */
export type SharedStart = { cards: number; tokens: number };
