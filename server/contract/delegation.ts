// Arguments and answers of the delegation tools (docs/design/kernel.md 6), the same for agents, REST and the browser.
import * as z from "zod";
import type { ForkResult } from "./batch";
import { RootOrigin } from "./delegation-context";
import { delegated, handed } from "./handed";
import { Id, User } from "./ids";
import type { PackResult, Weighed } from "./pack";
import type { LaunchPlanResult } from "./plan/plan-record";
import { RunLimits } from "./run-limits";
import { InstructionInput } from "./target";

/** Bytes (UTF-8) of one instruction; above it payload_too_large. */
export const INSTRUCTION_BYTES_MAX = 1_048_576;

export const DelegateInput = z.strictObject(delegated);
export type DelegateInput = z.infer<typeof DelegateInput>;

export const LaunchPrincipalInput = z.strictObject({
  profile_name: z.string().trim().min(1),
  instruction: InstructionInput,
  ...handed,
});
export type LaunchPrincipalInput = z.infer<typeof LaunchPrincipalInput>;

export type DelegateResult = {
  status: "accepted";
  agent_id: string;
  agent_turn_id: string;
  /** null = queued behind another turn of that agent. */
  turn_epoch: number | null;
  context_box_id: string;
  output_box_id: string | null;
};

/** A launch by a person: the tool's call as a root turn of `human_<user>`. */
export const LaunchInput = z.strictObject({
  tool: z.enum(["delegate_async", "launch_principal", "provision_agent", "fork_join", "ask_expert", "launch_plan"]),
  /** Required by the tool's own schema, which names what is missing; here zod knew no more than "nonoptional". */
  args: z.unknown().optional(),
  /** What started it: the first word of every chain of this run. Absent = a human. */
  origin: RootOrigin.exclude(["unknown"]).optional(),
  /** The root turn of the run to launch into; absent = a run of its own. */
  into: Id.optional(),
  /** Of the run it begins: what it may use before its new turns are held. */
  limits: RunLimits.optional(),
  /** The same action_id is the same launch; with another request it is 409. */
  action_id: Id.optional(),
  user: User,
});
export type LaunchInput = z.infer<typeof LaunchInput>;

export type LaunchResult = {
  /** The human's turn: the run's id too, unless it was launched into another run. */
  agent_turn_id: string;
  root_turn_id: string;
  result:
    | DelegateResult
    | ForkResult
    | LaunchPlanResult
    | { status: "accepted"; agent_id: string; roster_updated: boolean };
  /** True if this action_id was launched before. */
  is_replay: boolean;
};

/** Who would take the turn, and when. */
export type PreviewTarget = {
  target: {
    agent_id?: string;
    profile_name: string;
    profile_box_id: string;
    worker_target: string;
    /** Its profile names no model. Only a worker of the project's own takes the turn. */
    needs_own_worker: boolean;
    is_new: boolean;
  };
  /** Turns that would run before the new one. */
  queue_ahead: number;
  /** Workers that could claim it now. */
  worker_count: number;
};

/** What a dry run says in place of an answer. */
export type Refused = { ok: false; error_code: string; error: string; field?: string };

/** The kernel's dry run: every check of a launch, nothing written. */
export type LaunchPreview = ({ ok: true; pack: PackResult } & PreviewTarget) | Refused;

/** One task of a fork in a dry run: its context without the texts, which would be the same ones up to 64 times. */
export type TaskPreview = PreviewTarget & {
  task_index: number;
  pack: Omit<PackResult, "preview" | "rendered"> & { length: number; token_sum: number; consist: string };
  request?: Weighed;
};

/** The same for fork_join and ask_expert, in the order of the tasks. A refusal names the first task that is at fault. */
export type ForkPreview = { ok: true; tasks: TaskPreview[] } | Refused;

/** Cards that a preview lists at each end of a box. Those between are only counted. */
export const PREVIEW_CARDS_END = 500;

/**
 * A preview with only what a list shows: at most 2 x PREVIEW_CARDS_END cards with the beginning of their text, and no
 * messages (only their tokens). A box of 10,000 cards was about 10 MB at every pause in typing.
 */
export type LaunchPreviewLines =
  | (Extract<LaunchPreview, { ok: true }> & { card_total: number; consist: string })
  | Extract<LaunchPreview, { ok: false }>;
