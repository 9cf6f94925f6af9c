// One turn as its page needs it, and one of its steps.

import type { ArtifactRef } from "./artifact";
import type { Role } from "./card";
import type { BatchFrame, RunFrame, TurnFrame } from "./frame";
import type { TurnRef } from "./line";
import type { TurnStatus } from "./turn";
import type { TurnDetail } from "./turn-detail";

/** A batch with its number in the run: B1 is the first. */
export type NumberedBatch = { batch: BatchFrame; number: number };

export type TurnSheet = TurnDetail & {
  run?: Pick<RunFrame, "root_turn_id" | "number" | "title" | "source">;
  /** The batch it is a branch of. */
  branch?: NumberedBatch & {
    /** Headcode of whoever forked. */
    caller: string;
    /** How its other tasks stand. */
    others: (TurnStatus | "pending")[];
  };
  /** What it called, in order; the first of `children` where they are many. */
  callees: TurnRef[];
  /** Turns that go on from a step of this one, the newest first. */
  forks: (TurnRef & { ordinal: number })[];
  /** By step: when the model had spoken; what follows of the step is its tools. */
  answered_at: Record<string, string>;
  /** Its neighbours in the run, in the order they were made. */
  previous?: string;
  next?: string;
  /** Of all that it has asked people: another number says that something was asked or decided. */
  request_revs: number;
  /** Every turn below it that has not ended. */
  below: TurnFrame[];
  /** Batches of the run that have not ended, with the tasks that are held back. */
  running: (NumberedBatch & { held: number })[];
  /** The journal after it tells what is newer than the sheet. */
  cursor: string;
};

/** A text of a request or an answer; long ones are cut, and `letters` says how long it is. */
export type StepText = { text: string; letters: number };

/** A message as it was sent. */
export type SeenMessage = StepText & {
  role: Role;
  tokens: number;
  /** What it was made of, in order: mostly one card. */
  cards: { card_id: string; type: string }[];
  tool_calls: { id: string; tool_name: string; arguments: string }[];
  tool_call_id?: string;
  /** Sent beside the text. */
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
  /** Absent for a step of which no request was kept. */
  request?: {
    request_box_id: string;
    /** Estimated when it was sent. */
    tokens?: number;
    /** Of what went over the wire; absent where nothing did. */
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
    /** The step before, and what it saw that this one did not. */
    before?: { ordinal: number; dropped: { card_id: string; type: string }[] };
  };
  answer: {
    thought?: StepText & { card_id: string; tokens: number };
    calls: StepCall[];
    /** Reminders and whatever else was written in the step. */
    others: (StepText & { card_id: string; type: string })[];
    /** The turn ended with this step: what it delivered. */
    deliverable?: StepText & { card_id: string; tokens: number };
  };
};
