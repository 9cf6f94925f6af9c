// The signs of the yard: which there are, what they are called, and what each means in one sentence. The legend lists them, and
// each part says its own under the pointer.
import type { CardRole } from "./card-role";

export type AspectStatus =
  | "queued"
  | "dispatched"
  | "running"
  | "suspended"
  | "success"
  | "partial"
  | "failed"
  | "timeout"
  | "canceled";

export const lampWords: Record<AspectStatus, string> = {
  queued: "Waiting until its agent ends another turn.",
  dispatched: "Waiting for a worker to start it.",
  running: "The model or a tool is at work.",
  suspended: "Waiting for other turns or for a person.",
  success: "Ended with a deliverable.",
  partial: "Ended with part of the result.",
  failed: "Ended with an error.",
  timeout: "Ended because its time was over.",
  canceled: "Stopped by a person or by its caller.",
};

export const roleWords: Record<CardRole, string> = {
  system: "Prompts and notes of Switchyard.",
  user: "Tasks and what people say.",
  assistant: "What the model wrote.",
  tool: "Results of tools. Hatched, because they come from outside.",
};

export type DelegationKind = "launch" | "new" | "reuse" | "clone" | "ask" | "fork" | "join";

export const kindNames: Record<DelegationKind, string> = {
  launch: "launch",
  new: "new agent",
  reuse: "agent used again",
  clone: "clone",
  ask: "question",
  fork: "fork",
  join: "join",
};

export const kindWords: Record<DelegationKind, string> = {
  launch: "A person started it.",
  new: "A new agent.",
  reuse: "An agent that goes on.",
  clone: "A copy that also sees what another agent has written.",
  ask: "One question to an expert.",
  fork: "Several branches at once.",
  join: "The branches come back.",
};

export type Origin = "packed" | "inherited" | "pointer" | "profile" | "system" | "produced";

export const originNames: Record<Origin, string> = {
  packed: "packed",
  inherited: "inherited",
  pointer: "pointer",
  profile: "profile",
  system: "added",
  produced: "written",
};

export const originWords: Record<Origin, string> = {
  packed: "Chosen for this turn.",
  inherited: "From another box.",
  pointer: "Points to the caller.",
  profile: "From the profile.",
  system: "Added by Switchyard.",
  produced: "Written in this turn.",
};

export type Verdict = "passed" | "added" | "withheld" | "redacted";

export const verdictWords: Record<Verdict, string> = {
  passed: "The callee got it.",
  added: "The callee got it, and the caller did not have it.",
  withheld: "The caller had it, and the callee did not get it.",
  redacted: "Passed, with secrets blacked out.",
};

export type WagonPart =
  | "lamp"
  | "agent"
  | "name"
  | "person"
  | "headcode"
  | "time"
  | "bar"
  | "percent"
  | "flag"
  | "asks";

export const partWords: Record<WagonPart, string> = {
  lamp: "The state of the turn.",
  agent: "The agent. The same agent has the same mark in each of its turns.",
  name: "The agent, by its profile.",
  person: "A person. Only people are round.",
  headcode: "Depth, first letter of the profile, order in the run.",
  time: "How long the turn took, or has been running.",
  bar: "The cards it holds, as wide as their tokens. The needle is the fullest request, the notch is 80 % of the window.",
  percent: "The fullest request against the model's window.",
  flag: "An imported log names this turn as the mistake.",
  asks: "The agent is waiting for a person.",
};

export type TrackLook = "travelled" | "reserved" | "occupied" | "inferred" | "buffer" | "red buffer";

export const trackWords: Record<TrackLook, string> = {
  travelled: "The hand-over was delivered. The arrow points to the callee.",
  reserved: "The call is known, and nothing was delivered yet.",
  occupied: "The turn at its end is running.",
  inferred: "Read from the order of a log, not recorded.",
  buffer: "Nothing returns to the caller.",
  "red buffer": "Ended without a deliverable.",
};

export const gateWords = "Where the branches of a batch join, with a lamp for each branch.";

/** "running: The model or a tool is at work." */
export const lampTitle = (status: AspectStatus): string => `${status}: ${lampWords[status]}`;
