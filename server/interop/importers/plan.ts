// Everything an import will write, checked before the first row is written. Formats make plans; import-run writes them. Every
// id is final, so the same file always plans the same rows.
import type { BoxKind, Origin } from "@/server/contract/box";
import type { TurnFrame } from "@/server/contract/frame";
import type { Primitive, TargetStrategy } from "@/server/contract/turn";
import type { AuthoredCard } from "@/server/kernel/cardbox/draft-card";
import type { HeadcodeLetters } from "@/server/kernel/turns/headcode";

export type PlannedCard = AuthoredCard & { card_id: string };

export type PlannedBox = {
  box_id: string;
  kind: BoxKind;
  owner_agent_id?: string;
  owner_turn_id?: string;
  /** The box that begins with the same cards: its chunks are copied inside the database. */
  prefix_of?: string;
  /** Only the first `length` are in the box: a prefix shares the list of the longer box. */
  card_ids: readonly string[];
  length: number;
  /** Runs of equal origin; the counts add up to `length`. */
  origins: readonly (readonly [number, Origin])[];
};

export type PlannedProfile = {
  name: string;
  profile_box_id: string;
  worker_target: string;
  tags: string[];
  description: string;
};

export type PlannedAgent = {
  agent_id: string;
  display_name: string;
  profile_name: string;
  profile_box_id: string;
  worker_target: string;
  /** The person of the log. */
  is_human?: true;
  tags: string[];
  last_output_box_id: string;
  /** One epoch a turn, as if each had been leased once. */
  turn_epoch: number;
};

/** `created` and `ended` are whole numbers on the import's synthetic clock; no two turns share a `created`. */
export type PlannedTurn = {
  agent_turn_id: string;
  agent_id: string;
  turn_epoch: number;
  status: "success" | "partial";
  parent_turn_id?: string;
  primitive: Primitive;
  target_strategy?: TargetStrategy;
  depth: number;
  headcode: string;
  title: string;
  note?: string;
  context_box_id: string;
  output_box_id: string;
  output_start: number;
  /** Length of the output box when the turn ended; an agent's later turns append to the same box. */
  output_end: number;
  instruction_card_id?: string;
  deliverable_card_id: string;
  mark?: TurnFrame["mark"];
  created: number;
  ended: number;
};

export type PlannedEdge = {
  edge_id: string;
  source_agent_id: string;
  source_turn_id: string;
  target_agent_id: string;
  target_turn_id: string;
  is_inferred: boolean;
  primitive: Primitive;
  target_strategy?: TargetStrategy;
  depth: number;
  created: number;
};

export type ImportPlan = {
  format: string;
  digest: string;
  root_turn_id: string;
  trace_id: string;
  title: string;
  metadata: Record<string, unknown>;
  letters: HeadcodeLetters;
  cards: PlannedCard[];
  boxes: PlannedBox[];
  profiles: PlannedProfile[];
  agents: PlannedAgent[];
  /** Parents before their children. */
  turns: PlannedTurn[];
  edges: PlannedEdge[];
  /** The last number on the clock. */
  ticks: number;
};
