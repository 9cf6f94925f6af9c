// The seam between a turn and the tools that answer at once: the caller goes on in the same lease.

import type { ProfileBody } from "@/server/contract/profile";
import type { InternalTool } from "@/server/contract/tool";
import type { Kernel } from "@/server/kernel/kernel";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import type { ModelTool } from "../models/model";

export type ToolContext = {
  kernel: Kernel;
  turn: TurnRow;
  profile: ProfileBody;
  step_id: string;
  tool_call_id: string;
  /** False when the model called something else in the same step. */
  is_only_call: boolean;
  /** Everything this turn may call. */
  allowed: ModelTool[];
  /** Names that submit_result must give. */
  required_fields: string[];
};

export type ToolOutcome = {
  status: "success" | "failed";
  result?: unknown;
  error?: { code: string; message: string };
  /** Present = this call ends the turn. */
  after_execution?: "terminate";
};

/**
 * `run` may be called again with the same tool_call_id, by a worker that took the turn over: what it does is done once.
 * Throws KernelError when refused, TurnLost when the lease is gone.
 */
export type InlineTool = ModelTool & {
  tool_name: InternalTool;
  /** Every agent has it, whatever its profile lists. */
  is_universal?: boolean;
  run: (context: ToolContext, args: unknown) => Promise<ToolOutcome>;
};

export const rejected = (code: string, message: string): ToolOutcome => ({
  status: "failed",
  result: { status: "rejected", error_code: code, error: message },
  error: { code, message },
});
