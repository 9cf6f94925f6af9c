// What is known of a turn when two runs are aligned, and what is found: two turns, and why they belong together.

/** Why two turns belong together. */
export const alignedBys = ["turn", "node", "forked_from", "rerun_of", "place", "words"] as const;
export type AlignedBy = (typeof alignedBys)[number];

export type AlignTurn = {
  agent_turn_id: string;
  parent_turn_id: string | null;
  profile_name: string;
  primitive: string;
  is_human: boolean;
  task_index: number | null;
  /** ISO 8601. Siblings are ordered by it, then by their place in a fork. */
  created_at: string;
  /** Of a step of a plan: equal for the same step of another run of its lineage. */
  node: string | null;
  /** The lineage of that plan. */
  plan: string | null;
  /** What it was started again from. */
  origin: { agent_turn_id: string; how: "forked_from" | "rerun_of" } | null;
  /** The first words of its instruction. */
  words: string;
};

/** Ids. */
export type TurnPair = { a: string; b: string; by: AlignedBy };

/** Stops often: aligning five thousand callees of one turn by their words takes a second. */
export type AlignSteps<T> = Generator<undefined, T, undefined>;
