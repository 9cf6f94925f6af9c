// Frames: small whole states of one entity with a `rev`. `fold` keeps the higher rev, so replay and overlap are harmless.
import type { Alarm, AlarmMute } from "./alarm";
import type { AlarmRule } from "./alarm-rules";
import type { HumanRequestKind, HumanRequestStatus } from "./asking";
import type { Batch, TaskStatus } from "./batch";
import type { BoxKind } from "./box";
import type { ForkedFrom } from "./fork-turn";
import type { PlanRun, PlanRunNode } from "./plan/plan-run";
import type { RunHold } from "./run-hold";
import type { RunLimits } from "./run-limits";
import type { EndStatus, Primitive, TargetStrategy, TurnStatus } from "./turn";

export type TurnFrame = {
  kind: "turn";
  id: string;
  rev: number;
  agent_turn_id: string;
  agent_id: string;
  /** Absent for a person. */
  profile_name: string;
  worker_target: string;
  is_human: boolean;
  status: TurnStatus;
  turn_epoch: number;
  attempt: number;
  parent_turn_id?: string;
  root_turn_id: string;
  primitive: Primitive;
  target_strategy?: TargetStrategy;
  depth: number;
  trace_id: string;
  batch_task_id?: string;
  /** Set on a branch of a fork: its batch, and its index among the tasks, from 0. */
  batch_id?: string;
  task_index?: number;
  headcode: string;
  /** First line of the instruction. */
  title: string;
  /** What it is doing or how it ended, in a few words. */
  note?: string;
  profile_box_id: string;
  context_box_id: string;
  output_box_id?: string;
  output_start?: number;
  instruction_card_id?: string;
  deliverable_card_id?: string;
  step_count: number;
  context_cards: number;
  context_tokens: number;
  context_consist: string;
  output_cards: number;
  output_tokens: number;
  output_consist: string;
  /** Of its model; absent = unknown. */
  window_tokens?: number;
  /** Estimated, of its last request; absent = none was sent. */
  sent_tokens?: number;
  /** Of its largest request. */
  fullest_tokens?: number;
  tokens_in: number;
  tokens_out: number;
  cost?: number;
  error_code?: string;
  error?: string;
  /** The import marks this step as the mistake. */
  mark?: { kind: "mistake"; card_id: string; reason: string };
  /** Set if it continues from a step of another turn. */
  forked_from?: ForkedFrom;
  lease_holder?: string;
  heartbeat_at?: string;
  created_at: string;
  leased_at?: string;
  started_at?: string;
  ended_at?: string;
};

/** Who caused a turn. Inferred = guessed from an import that does not declare it: drawn dashed. */
export type EdgeFrame = {
  kind: "edge";
  id: string;
  rev: number;
  root_turn_id: string;
  source_turn_id: string;
  target_turn_id: string;
  is_inferred: boolean;
  primitive: Primitive;
  target_strategy?: TargetStrategy;
  created_at: string;
};

export type RunFrame = {
  kind: "run";
  id: string;
  rev: number;
  root_turn_id: string;
  number: number;
  title: string;
  source: "launch" | "import" | "demo";
  /** For imports: question, ground_truth, mistake_agent, mistake_step, mistake_reason, file_name, format. */
  metadata: Record<string, unknown>;
  created_at: string;
  limits?: RunLimits;
  /** A limit that is reached: turns that would begin wait. */
  held?: RunHold;
  /** Deleted for good, with everything in it: fold takes it out of the picture. Its title is empty then. */
  is_deleted?: true;
};

export type AgentFrame = {
  kind: "agent";
  id: string;
  rev: number;
  agent_id: string;
  profile_name: string;
  display_name?: string;
  worker_target: string;
  owner_agent_id?: string;
  derived_from?: string;
  created_at: string;
};

export type ProfileFrame = {
  kind: "profile";
  id: string;
  rev: number;
  name: string;
  profile_box_id: string;
  worker_target: string;
  is_deleted: boolean;
};

/** A box grew. Fetch the cards from the old length on. */
export type BoxFrame = {
  kind: "box";
  id: string;
  rev: number;
  box_kind: BoxKind;
  owner_turn_id?: string;
  length: number;
  token_sum: number;
};

/** A turn ended: exactly one for each turn. `id` is the turn's. */
export type TaskFrame = {
  kind: "task";
  id: string;
  rev: number;
  status: EndStatus;
  agent_id: string;
  root_turn_id: string;
  output_box_id: string;
  deliverable_card_id: string;
  error_code?: string;
};

/** What outside listeners get for a frame that the database wrote itself. */
export type ToldFrame =
  | Pick<
      TurnFrame,
      "kind" | "id" | "rev" | "agent_id" | "agent_turn_id" | "turn_epoch" | "status" | "output_box_id" | "trace_id"
    >
  | TaskFrame;

/** A refused write of an old epoch. */
export type LateFrame = {
  kind: "rejected_late";
  id: string;
  rev: number;
  agent_turn_id: string;
  turn_epoch: number;
  current_epoch: number;
  what: string;
  worker_id?: string;
  /** When it was refused. Absent until the frame has arrived from the journal. */
  created_at?: string;
};

/** A fork and its join. Running branches are turns with this batch_id; waiting ones are task frames. */
export type BatchFrame = Batch & { kind: "batch"; id: string };

/** A branch without a turn: held back by max_parallel, waiting for a retry, or ended before it got one. */
export type BatchTaskFrame = {
  kind: "batch_task";
  id: string;
  rev: number;
  batch_id: string;
  root_turn_id: string;
  task_index: number;
  title: string;
  profile_name: string;
  agent_id: string;
  agent_turn_id?: string;
  status: TaskStatus;
  attempt_count: number;
  next_retry_at?: string;
  error?: string;
};

/** A run of a plan. Its body is read separately. */
export type PlanRunFrame = PlanRun & { kind: "plan_run"; id: string };

/** A node of a plan run; `id` = plan_run_id.node_id. Its batch and turns have frames of their own. */
export type PlanNodeFrame = PlanRunNode & { kind: "plan_node"; id: string; root_turn_id: string };

/** What an agent asks people. Arguments and answers may be long, so they are read with the request. */
export type HumanRequestFrame = {
  kind: "human_request";
  id: string;
  rev: number;
  request_kind: HumanRequestKind;
  status: HumanRequestStatus;
  agent_id: string;
  agent_turn_id: string;
  root_turn_id: string;
  turn_epoch: number;
  step_id?: string;
  tool_call_id: string;
  tool_name: string;
  /** First line of the question; of an approval, the tool's name. */
  title: string;
  decided_by?: string;
  /** A person changed the model's arguments before approving. */
  is_edited: boolean;
  reason?: string;
  decision_card_id?: string;
  deadline_at?: string;
  created_at: string;
  decided_at?: string;
};

/** A key of a run's environment data was stored, changed or deleted. Its value is read separately. */
export type EnvDataFrame = {
  kind: "env_data";
  id: string;
  rev: number;
  root_turn_id: string;
  key: string;
  short_description: string;
  stored_by: string;
  stored_by_turn_id?: string;
  is_deleted: boolean;
  updated_at: string;
};

/** The content of a card was deleted: what it was is not said. `rev` is 1, as it happens once. */
export type CardFrame = {
  kind: "card";
  id: string;
  rev: number;
  is_deleted: true;
  deleted_by: string;
  deleted_at: string;
};

export type ProjectFrame = {
  kind: "project";
  id: string;
  rev: number;
  title: string;
  status: string;
  is_deleted: boolean;
};

/** An alarm was found, muted by itself, or heard again. */
export type AlarmFrame = Alarm & { kind: "alarm"; id: string };

/** A rule was muted in this project, or is heard again; `id` is the rule. */
export type AlarmRuleFrame = { kind: "alarm_rule"; id: AlarmRule; rev: number; is_muted: boolean; muted?: AlarmMute };

export type Frame =
  | TurnFrame
  | EdgeFrame
  | RunFrame
  | AgentFrame
  | ProfileFrame
  | BoxFrame
  | TaskFrame
  | LateFrame
  | BatchFrame
  | BatchTaskFrame
  | PlanRunFrame
  | PlanNodeFrame
  | HumanRequestFrame
  | EnvDataFrame
  | CardFrame
  | AlarmFrame
  | AlarmRuleFrame
  | ProjectFrame;
export type FrameKind = Frame["kind"];

/** A frame with the cursor after it: resume with `after = cursor` and miss nothing. */
export type TrackedFrame = { cursor: string; frame: Frame };

export type Picture = { readonly [K in FrameKind]: ReadonlyMap<string, Extract<Frame, { kind: K }>> };

export const emptyPicture = (): Picture => ({
  turn: new Map(),
  edge: new Map(),
  run: new Map(),
  agent: new Map(),
  profile: new Map(),
  box: new Map(),
  task: new Map(),
  rejected_late: new Map(),
  batch: new Map(),
  batch_task: new Map(),
  plan_run: new Map(),
  plan_node: new Map(),
  human_request: new Map(),
  env_data: new Map(),
  card: new Map(),
  alarm: new Map(),
  alarm_rule: new Map(),
  project: new Map(),
});

type Maps = Record<FrameKind, ReadonlyMap<string, Frame>>;

/** Returns the same object if nothing changed; maps of unchanged kinds keep their identity. */
export function fold(picture: Picture, frames: readonly Frame[]): Picture {
  let next: Maps | undefined;
  for (const frame of frames) {
    if (frame.kind === "run" && frame.is_deleted) {
      next = withoutRun(next ?? picture, frame.root_turn_id);
      continue;
    }
    const known = (next ?? picture)[frame.kind].get(frame.id);
    if (known && known.rev >= frame.rev) continue;
    next ??= { ...picture };
    if (next[frame.kind] === picture[frame.kind]) next[frame.kind] = new Map<string, Frame>(picture[frame.kind]);
    (next[frame.kind] as Map<string, Frame>).set(frame.id, frame);
  }
  return (next as Picture | undefined) ?? picture;
}

/** Everything that stands in the run; maps without such keep their identity. Nothing of it is told after its deletion. */
function withoutRun(picture: Maps, root_turn_id: string): Maps {
  const left = { ...picture };
  for (const kind of Object.keys(left) as FrameKind[]) {
    const rest = [...left[kind]].filter(
      ([, frame]) => !("root_turn_id" in frame && frame.root_turn_id === root_turn_id),
    );
    if (rest.length < left[kind].size) left[kind] = new Map(rest);
  }
  return left;
}
