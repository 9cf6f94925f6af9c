// The seam between a turn and the tools it calls, whoever runs the turn: most answer at once and the caller goes on in the
// same lease; some answer later, and the caller sleeps until they do.
import type { ArtifactRef } from "@/server/contract/artifact";
import type { CallCode } from "@/server/contract/failure-codes";
import type { ProfileBody } from "@/server/contract/profile";
import type { InternalTool } from "@/server/contract/tool";
import type { SuspendResult } from "@/server/contract/waiting";
import type { ArtifactFile } from "../artifacts/store-artifacts";
import type { Sleep } from "../batch/fork";
import type { OfferedTool } from "../context/render-request";
import type { Kernel } from "../kernel";
import type { Fenced } from "../turns/fenced";
import type { TurnRow } from "../turns/turn-row";

export type ToolContext = {
  kernel: Kernel;
  turn: TurnRow;
  profile: ProfileBody;
  step_id: string;
  tool_call_id: string;
  /** The tool.call card: what a tool service reads. */
  tool_call_card_id: string;
  /** False when the model called something else in the same step. */
  is_only_call: boolean;
  /** Everything this turn may call. */
  allowed: OfferedTool[];
  /** Names that submit_result must give. */
  required_fields: string[];
  /** How the step ends if its only call is waited for: a call that can does it with its own writes. */
  sleep?: Sleep;
};

export type ToolAnswer = {
  status: "success" | "failed";
  result?: unknown;
  error?: { code: string; message: string };
  /** Files that came with it. */
  artifacts?: ArtifactRef[];
  /** Their bytes, stored with the card of the result. */
  files?: ArtifactFile[];
  /** Present = this call ends the turn. */
  after_execution?: "terminate";
};

/** The result comes later, as a message: the turn waits for it until `deadline` (ISO; absent = as long as it takes). */
export type ToolWait = {
  status: "suspended";
  deadline?: string;
  batch_id?: string;
  /** The step has ended with the call, and this is what became of the turn. */
  slept?: SuspendResult;
};

/** Somebody outside is asked, which takes its time: `go` may be called again when it rejects, and asks once. */
export type ToolLater = {
  status: "later";
  go: (signal: AbortSignal | undefined) => Promise<ToolAnswer | ToolWait | Fenced>;
};

export type ToolOutcome = ToolAnswer | ToolWait;

/**
 * `run` may be called again with the same tool_call_id, by a worker that took the turn over: what it does is done once.
 * Throws KernelError when refused; Fenced when the lease is gone.
 */
export type InlineTool = OfferedTool & {
  tool_name: InternalTool;
  /** Every agent has it, whatever its profile lists. */
  is_universal?: boolean;
  run: (context: ToolContext, args: unknown) => Promise<ToolOutcome | Fenced>;
};

export const rejected = (code: CallCode, message: string): ToolAnswer => ({
  status: "failed",
  result: { status: "rejected", error_code: code, error: message },
  error: { code, message },
});
