// Plans as their pages show them.
import type { BatchStatus } from "../batch";
import type { NodeCounts } from "./count-nodes";
import type { After, Berth, PlanInput, PlanNode } from "./plan";
import type { PlanRecord, PlanVersionLine } from "./plan-record";

/** A run of a plan in one line. */
export type PlanRunLine = NodeCounts & {
  plan_run_id: string;
  root_turn_id: string;
  version: number;
  status: BatchStatus;
  created_at: string;
  ended_at?: string;
};

/** `runs`: the newest, newest first. */
export type PlanLine = PlanRecord & { inputs: PlanInput[]; node_count: number; runs: PlanRunLine[] };
export type PlanLines = { items: PlanLine[]; live_cursor: string };

/** One version of a plan, with what is around it. */
export type PlanSheet = PlanRecord & {
  /** The one that was asked for; `yaml` = its body and layout as text. */
  shown: PlanVersionLine & { yaml: string; inputs: PlanInput[] };
  versions: PlanVersionLine[];
  runs: PlanRunLine[];
  live_cursor: string;
};

/** The graph of a plan run as the yard lists it, in the order of the plan. How its nodes stand comes in frames. */
export type PlanGraphView = {
  plan_run_id: string;
  body_rev: number;
  nodes: {
    node_id: string;
    kind: PlanNode["kind"];
    title: string;
    /** Profiles, or agents that go on. */
    targets: string[];
    /** Of a fork, in order. */
    tasks: { title: string; target: string }[];
    /** On the yard's grid; of a fork its first lane. */
    berth: Berth;
    /** A person lets it start. */
    hold: boolean;
    disabled: boolean;
    /** Of a task of a fork: the fork and the task's index in it. */
    waits_for: { node_id: string; task_index?: number; on: After["on"] }[];
  }[];
};
