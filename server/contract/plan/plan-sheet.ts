// Plans as their pages show them.
import type { BatchStatus } from "../batch";
import type { PlanInput } from "./plan";
import type { PlanRecord, PlanVersionLine } from "./plan-record";
import type { PlanNodeStatus } from "./plan-run";

/** A run of a plan in one line. */
export type PlanRunLine = {
  plan_run_id: string;
  root_turn_id: string;
  version: number;
  status: BatchStatus;
  node_count: number;
  /** Ended as success or partial. */
  delivered_count: number;
  /** Wait for a person. */
  held_count: number;
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

/** A plan run as the run's inspector lists it, steps in the order of the plan. */
export type RunPlan = {
  plan_run_id: string;
  name: string;
  /** Absent = it was launched without being published. */
  version?: number;
  status: BatchStatus;
  steps: { node_id: string; title: string; status: PlanNodeStatus; headcodes: string[]; reason?: string }[];
};
