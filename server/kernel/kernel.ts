// What every verb is given. Clock and ids are injected so that tests can control them.

import type pg from "pg";
import type { Frame, ToldFrame } from "@/server/contract/frame";
import type { Writes } from "@/server/contract/health";
import type { Outbound } from "@/server/contract/outbound";
import type { DelegationContextLevel } from "@/server/contract/profile";
import type { ThinkingPiece } from "@/server/contract/thinking";
import type { EndStatus } from "@/server/contract/turn";
import type { WorkspaceFolders } from "@/server/contract/workspace";
import type { Db } from "@/server/db";
import { type BriefMemory, createBriefMemory } from "./brief-memory";
import { createHashedBoxes, type HashedBoxes } from "./hashed-boxes";
import { type IdPrefix, newId } from "./new-id";
import { createSlots, type Slots } from "./slots";
import { type Tunables, tunables } from "./tunables";

/** "Look now": worker targets with due rows, or a project with new frames. Nothing is guaranteed; everyone also polls. */
export type Ring =
  | WakeupRing
  | { kind: "journal"; project_id: string }
  | EventRing
  | CommandRing
  | LeaseRing
  | WatchRing
  | ThinkingRing;

/** The agent and its turn are named if known; a worker only uses the inbox. */
export type WakeupRing = {
  kind: "wakeup";
  worker_target: string;
  project_id: string;
  channel?: string;
  agent_id?: string;
  agent_turn_id?: string;
  turn_epoch?: number;
  trace_id?: string;
};

/** How a turn changed, for listeners outside. Ids only; the journal is the source of truth. */
export type EventRing = {
  kind: "event";
  event: "task" | "step" | "state";
  project_id: string;
  channel?: string;
  agent_id: string;
  agent_turn_id: string;
  turn_epoch?: number;
  step_id?: string;
  status: string;
  rev: number;
  output_box_id?: string;
  deliverable_card_id?: string;
  error_code?: string;
  trace_id?: string;
};

/** A call for a tool service: the arguments are in the tool.call card. If it is sent again, it is the same call. */
export type CommandRing = {
  kind: "command";
  target_subject: string;
  project_id: string;
  channel?: string;
  agent_id: string;
  agent_turn_id: string;
  turn_epoch: number;
  step_id: string;
  tool_call_id: string;
  tool_name: string;
  tool_call_card_id: string;
  after_execution: "suspend" | "terminate";
  recursion_depth: number;
  trace_id: string;
  parent_agent_turn_id?: string;
  parent_step_id?: string;
};

/** The lease of a running turn has changed hands or ended: its worker checks whether it still holds it. */
export type LeaseRing = { kind: "lease"; project_id: string; channel?: string; agent_turn_id: string };

/** Someone will watch a turn think for the next seconds. Without `wants_all` they have everything so far. */
export type WatchRing = {
  kind: "watch";
  project_id: string;
  channel?: string;
  agent_turn_id: string;
  wants_all: boolean;
};

/** The only ring with content, because it is stored nowhere; sent only for turns that are watched. */
export type ThinkingRing = ThinkingPiece & { kind: "thinking"; project_id: string; channel?: string };

export type Doorbell = {
  ring: (rings: Ring[]) => Promise<void>;
  /** Returns the function that stops listening. */
  listen: (handler: (ring: Ring) => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
  readonly kind: string;
  readonly isConnected: () => boolean;
  /** Connected, but it does not receive its own messages. */
  readonly isDeaf?: () => boolean;
  /** Whether events and commands are stored for absent listeners; absent if none are sent. */
  readonly events?: () => "ok" | "unavailable";
  /** True if someone outside may listen for events: units then ring them too. */
  readonly wantsEvents?: boolean;
};

/** `unknown`: a commit was sent, and nobody can say what became of it. */
export type UnitOutcome = "committed" | "aborted" | "unknown";

/** One transaction, as verbs and hooks see it; withUnit makes it. */
export type Transaction = {
  readonly kernel: Kernel;
  /** A named prepared statement; `name` is unique to the text. */
  query: <R extends pg.QueryResultRow>(name: string, text: string, values?: unknown[]) => Promise<R[]>;
  /**
   * Where the next statement is the last, and no frames are written behind it, the commit is sent in its message. What its caller makes of
   * the answer comes after the commit.
   */
  last: () => Pick<Transaction, "query">;
  /**
   * To be called when all statements are sent and all frames are told. Frames and COMMIT are sent when this turn of the event loop ends,
   * unless the unit has been refused by then; answers are read afterwards. If the connection breaks before they come, the outcome is
   * unknown, so only verbs that recognise a repeated call may be sealed.
   */
  seal: (projectId: string) => void;
  /**
   * A write whose answer nobody needs: it is sent while the unit continues, and its failure is the unit's. Use only values
   * that cannot fail to be sent: the commit may already follow them.
   */
  send: (name: string, text: string, values: (string | number | boolean | null | string[])[]) => void;
  frame: (projectId: string, frame: Frame) => void;
  /** Frames that a statement of the unit has written to the journal itself (journal/told.ts): they still need a ring. */
  told: (projectId: string, frames: readonly ToldFrame[]) => void;
  ring: (ring: Ring) => void;
  /** Runs after the commit; its failure is logged, the unit stands. */
  after: (task: () => Promise<void>) => void;
  /** Called once with what became of this try of the unit, committed or not; it must not throw. */
  onOutcome: (tell: (outcome: UnitOutcome) => void) => void;
  probe: (point: string) => Promise<void>;
  /** Statements so far, BEGIN and COMMIT not counted: asserted in tests. */
  readonly statements: () => number;
};

/**
 * `has_batch`: it waited for a batch that still runs; `has_plan`: for a plan run. `plan_run_id`: it was a task of a fork
 * of several that is a node of this plan run.
 */
export type EndedTurn = {
  project_id: string;
  agent_turn_id: string;
  batch_id: string | null;
  /** The only branch of its batch. */
  is_alone: boolean;
  has_batch: boolean;
  has_plan: boolean;
  plan_run_id: string | null;
};

export type OnTurnsEnded = {
  /** Asked after the locks of turns that a worker ends, in the same round trip. Absent = batches are settled after the commit only. */
  beforeEnd?: (unit: Transaction, ends: { project_id: string; agent_turn_ids: string[] }) => Promise<EndsAhead>;
  /** Inside the transaction that ends turns: what they waited for, and who waits for them. */
  afterEnd: (unit: Transaction, ended: EndedTurn[]) => Promise<void>;
};

/** What a unit knows of the ends that it is about to write. */
export type EndsAhead = {
  /** Nothing but these ends has to be written: nothing that the turns have begun is open, nothing waits for their agents, their runs have no limits. */
  are_plain: boolean;
  /** The batch that they complete, locked. Null if there is none, they are not plain, something of it is locked, or its kind is settled after the commit. */
  joinable: JoinableBatch | null;
};

/** A batch, locked by the unit that ends its last branches. */
export type JoinableBatch = {
  readonly batch_id: string;
  /**
   * Ends the batch. To be called right after the statement that ends the turns was sent, with the ends as that statement writes them. False =
   * there is more to decide, and nothing was changed.
   */
  join: (ends: readonly WrittenEnd[]) => Promise<boolean>;
};

/** What a batch reads of the end of a branch. */
export type WrittenEnd = {
  agent_turn_id: string;
  status: EndStatus;
  output_box_id: string;
  summary?: string;
  error?: string;
  error_code?: string;
};

/**
 * What a worker looks at before it takes a turn on. `is_kept`: its target is reserved for workers that name it, so that one that takes '*'
 * leaves it to them.
 */
export type Offered = { worker_target: string; needs_own_worker: boolean; is_kept: boolean };

/**
 * A worker of this process that takes turns on at once: a turn that has its last result, and turns made by its own turns. Without a taker, a
 * claim finds them.
 */
export type Taker = {
  readonly worker_id: string;
  /** Whether it may run such a turn, and has a place for it. */
  mayTake: (turn: Offered) => boolean;
  /** Whether it may run such a turn, if it had a place. */
  serves: (turn: Offered) => boolean;
  /** Reserves up to `n` free places for turns that are being made, and says how many. None if its last claim may have left turns waiting. */
  reserve: (n: number) => number;
  /** Gives back `n` reserved places when the transaction is over, whether or not it made turns; in the same tick its turns are taken. */
  release: (n: number) => void;
  /** After the commit: the turn runs, and is its own. The row is one of `turns/`, which this storey does not know. */
  take: (turn: object) => void;
  /** Nobody can say whether it was given a turn: it asks what it holds. */
  doubt: () => void;
};

/** A request that is done once (kept-results.ts): what its units answered before, by their first statement and number. */
export type Keyed = {
  readonly project_id: string;
  readonly key: string;
  readonly request_hash: string;
  readonly kept: ReadonlyMap<string, string>;
  /** Units so far, by their first statement. */
  readonly done: Map<string, number>;
  /** While follow-ups of a unit run: they are not the request's. */
  paused: number;
};

export type Kernel = {
  /** Set for the length of one request. */
  keyed?: Keyed;
  db: Db;
  doorbell: Doorbell;
  tunables: Tunables;
  now: () => Date;
  /** How much receivers are told about a delegation if the profile does not say; absent = standard. */
  delegationContext?: DelegationContextLevel;
  /** `prefix` + uuid v7 in hex: sortable by creation time. */
  newId: (prefix?: IdPrefix) => string;
  /**
   * Called at named points inside units; tests use it to force races and inject faults. `statements` are the names of the
   * unit's statements so far: every unit passes the same points, and the names tell which unit it is.
   */
  probe?: (point: string, statements: readonly string[]) => Promise<void> | void;
  /** What the end of turns means to batches and plans, which a storey above turns knows. wire.ts passes it in. */
  onTurnsEnded?: OnTurnsEnded;
  /** Of the worker that ends turns with this kernel. Absent = none. */
  taker?: Taker;
  /** Called inside the transaction that ends what a plan run waits for: a batch, a person's decision. Also a storey above. */
  onPlanDue?: (unit: Transaction, due: { project_id: string; plan_run_id: string }) => Promise<void>;
  /** What the last proof of a write said; wire.ts passes it in where one is made. */
  writes?: () => Writes;
  /** Projects that were not removed a moment ago. */
  projectsThere: BriefMemory;
  /** Long boxes that this process has handed over. */
  hashedBoxes: HashedBoxes;
  /** Indexes of workspaces that this process makes at a time. */
  indexSlots: Slots;
  /** How long its units wait for a lock; absent = as long as the server lets them. */
  lockMs?: number;
  /** Where tools may call to, and with which secrets; wire.ts passes it in. Absent = nowhere. */
  outbound?: Outbound;
  /** The folders that may be workspaces; wire.ts passes them in. Absent = none. */
  workspaceFolders?: WorkspaceFolders;
};

export function createKernel(parts: Pick<Kernel, "db" | "doorbell"> & Partial<Kernel>): Kernel {
  const { indexesMax } = parts.tunables ?? tunables;
  const own = {
    projectsThere: createBriefMemory(),
    hashedBoxes: createHashedBoxes(),
    indexSlots: createSlots(indexesMax),
  };
  return { tunables, now: () => new Date(), newId, ...own, ...parts };
}
