// One turn as its page needs it, and one of its steps.

import type { ArtifactRef } from "./artifact";
import type { Role } from "./card";
import type { BatchFrame, RunFrame, TurnFrame } from "./frame";
import type { TurnRef } from "./line";
import type { TurnStatus } from "./turn";
import type { TurnDetail } from "./turn-detail";

/** A batch with its number in the run: B1 is the first fork. A question to an expert has none. */
export type NumberedBatch = { batch: BatchFrame; number?: number };

export type TurnSheet = TurnDetail & {
  run?: Pick<RunFrame, "root_turn_id" | "number" | "title" | "source">;
  /** The batch it is a branch of. */
  branch?: NumberedBatch & {
    /** Headcode of the turn that forked. */
    caller: string;
    /** States of its other tasks. */
    others: (TurnStatus | "pending")[];
  };
  /** What it called, in order; only the first ones if there are many. */
  callees: TurnRef[];
  /** Turns that continue from a step of this one, newest first. */
  forks: (TurnRef & { ordinal: number })[];
  /** By step: when the model had answered; the rest of the step is its tools. */
  answered_at: Record<string, string>;
  /** The turns before and after it in the run, by creation. */
  previous?: string;
  next?: string;
  /** Covers everything it asked people: a new number means a new question or decision. */
  request_revs: number;
  /** Every turn below it that has not ended. */
  below: TurnFrame[];
  /** Batches of the run that have not ended, with the tasks that are held back. */
  running: (NumberedBatch & { held: number })[];
  /** Frames after it are newer than the sheet. */
  cursor: string;
};

/** A text of a request or an answer. Long ones are cut; `letters` is the full length. */
export type StepText = { text: string; letters: number };

/** A message as it was sent. */
export type SeenMessage = StepText & {
  role: Role;
  tokens: number;
  /** The cards it was built from, in order: mostly one. */
  cards: { card_id: string; type: string }[];
  tool_calls: { id: string; tool_name: string; arguments: string }[];
  tool_call_id?: string;
  /** Sent with the text. */
  pictures?: ArtifactRef[];
  /** Not in the request of the step before. */
  is_added: boolean;
};

export type StepCall = {
  tool_call_id: string;
  tool_name: string;
  arguments: StepText;
  /** The call's own card. */
  card_id?: string;
  result?: StepText & { card_id: string; status: string; tokens: number; artifacts?: ArtifactRef[] };
};

export type StepSheet = {
  agent_turn_id: string;
  step_id: string;
  ordinal: number;
  /** Absent if no request was kept for the step. */
  request?: {
    request_box_id: string;
    /** Estimated when it was sent. */
    tokens?: number;
    /** Of the serialised request; absent if there was none. */
    bytes?: number;
    sha256?: string;
    system: StepText & { card_id?: string; tokens: number; is_added: boolean };
    tools: {
      card_id?: string;
      tokens: number;
      is_added: boolean;
      offered: { tool_name: string; description: string }[];
    };
    messages: SeenMessage[];
    /** The step before, and what only it saw. */
    before?: { ordinal: number; dropped: { card_id: string; type: string }[] };
  };
  answer: {
    thought?: StepText & { card_id: string; tokens: number };
    calls: StepCall[];
    /** Reminders and everything else written in the step. */
    others: (StepText & { card_id: string; type: string })[];
    /** Set if the turn ended with this step: its deliverable. */
    deliverable?: StepText & { card_id: string; tokens: number };
  };
};
