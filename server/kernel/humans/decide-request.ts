// A person decides a request: a compare-and-set on `open`, so that the second of two who answer at once is told what the
// first decided. The turn gets the decision like any result of a call.
import type { Decision } from "@/server/contract/asking";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { CardContent } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { decisionWords, type HumanRequest } from "@/server/contract/human-request";
import { isRecord } from "@/server/contract/is-record";
import { type HumanRequestRow, humanRequest, noRequest } from "../inbox/human-request-row";
import type { PostedResult } from "../inbox/post-results";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { checkArguments } from "./check-arguments";
import { closeRequest } from "./close-request";
import { lockRequest } from "./lock-request";

export type DecideRequest = {
  project_id: string;
  request_id: string;
  /** Who decides. */
  by: string;
  decision: Decision;
};

/**
 * not_found; bad_request for an answer to an approval, for an approval of a question, and for arguments that do not match;
 * conflict if it was already decided, with the current request in `detail.request`. The same decision by the same person
 * again returns the first answer.
 */
export async function decideRequest(kernel: Kernel, input: DecideRequest): Promise<HumanRequest> {
  const { project_id, request_id, by, decision } = input;
  return withUnit(kernel, async (unit) => {
    const row = await lockRequest(unit, { project_id, request_id });
    if (!row) throw noRequest(request_id);
    refuseOther(row, decision);
    if (row.status !== "open") return again(row, input);
    const edited = editOf(row, decision);
    await unit.probe("before-decide");
    const closed = await closeRequest(unit, {
      row,
      status: statuses[decision.action],
      decided_by: by,
      answer: decision.action === "answer" ? decision.answer : undefined,
      reason: decision.action === "answer" ? undefined : decision.reason || undefined,
      edited_arguments: edited,
      result: row.kind === "plan_hold" ? null : resultOf(row, input, edited),
    });
    const plan_run_id = row.kind === "plan_hold" ? planRunOf(row) : null;
    if (plan_run_id !== null) await unit.kernel.onPlanDue?.(unit, { project_id, plan_run_id });
    return humanRequest(closed);
  });
}

const planRunOf = ({ arguments: held }: HumanRequestRow): string | null =>
  isRecord(held) && typeof held.plan_run_id === "string" ? held.plan_run_id : null;

const statuses = { answer: "answered", approve: "approved", deny: "denied" } as const;

function refuseOther({ kind, request_id, tool_name }: HumanRequestRow, { action }: Decision): void {
  if ((kind === "question") === (action === "answer")) return;
  const remedy =
    kind === "question"
      ? "it asks a question: answer it"
      : kind === "plan_hold"
        ? "it asks whether a node of a plan may start: approve or deny it"
        : `it asks whether ${tool_name} may be called: approve or deny it`;
  throw new KernelError("bad_request", `request ${request_id} cannot be ${statuses[action]}: ${remedy}`);
}

function again(row: HumanRequestRow, { by, decision, request_id }: DecideRequest): HumanRequest {
  const request = humanRequest(row);
  if (row.status === statuses[decision.action] && row.decided_by === by && saysTheSame(row, decision)) return request;
  throw new KernelError("conflict", `request ${request_id} is decided: ${decisionWords(request)}${said(request)}`, {
    request,
  });
}

function saysTheSame(row: HumanRequestRow, decision: Decision): boolean {
  if (decision.action === "answer") return row.answer === decision.answer;
  if ((row.reason ?? "") !== (decision.reason ?? "")) return false;
  return decision.action === "deny" || same(row.edited_arguments, editOf(row, decision) ?? null);
}

function said({ answer, reason, status }: HumanRequest): string {
  const words = status === "answered" ? answer : reason;
  if (words === undefined) return "";
  return `: ${words.length > SAID_MAX ? `${words.slice(0, SAID_MAX)} …` : words}`;
}
const SAID_MAX = 200;

/** Undefined if the person did not change them. */
function editOf(row: HumanRequestRow, decision: Decision): Record<string, unknown> | undefined {
  if (decision.action !== "approve" || decision.arguments === undefined) return undefined;
  if (row.kind === "plan_hold")
    throw new KernelError("bad_request", "arguments: a hold has none; edit the plan run instead", {
      path: "arguments",
    });
  if (same(decision.arguments, row.arguments)) return undefined;
  checkArguments(row.parameters, decision.arguments);
  return decision.arguments;
}

/** Whatever the order of the keys: jsonb has its own. */
const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

type Posted = Pick<PostedResult, "message_type" | "content" | "card" | "metadata">;

function resultOf(
  row: HumanRequestRow,
  { by, decision }: DecideRequest,
  edited: Record<string, unknown> | undefined,
): Posted {
  const { request_id, tool_call_id, tool_name } = row;
  const facts = { request_id, decided_by: by };
  if (decision.action === "answer")
    return {
      message_type: "tool_result",
      content: success({ status: "answered", answer: decision.answer, answered_by: by }),
      metadata: facts,
    };
  if (decision.action === "deny") {
    const message = `${by} denied the call of ${tool_name}: ${decision.reason}`;
    const error = { code: "denied_by_human", message };
    const result = {
      status: "rejected",
      error_code: error.code,
      error: message,
      reason: decision.reason,
      denied_by: by,
    };
    const content: PostedResult["content"] = {
      kind: "tool_result",
      status: "failed",
      after_execution: "suspend",
      result,
      error,
    };
    return {
      message_type: "tool_result",
      content,
      card: { type: "tool.result", tool_call_id, content },
      metadata: facts,
    };
  }
  const content = { kind: "tool_call", tool_name, arguments: (edited ?? row.arguments) as never } satisfies CardContent;
  return {
    message_type: "tool_result",
    content: success({ status: "approved" }),
    card: { type: "meta.approved_call", tool_call_id, content },
    metadata: { ...facts, is_edited: edited !== undefined, ...(decision.reason && { reason: decision.reason }) },
  };
}

const success = (result: Record<string, string>): PostedResult["content"] => ({
  kind: "tool_result",
  status: "success",
  after_execution: "suspend",
  result,
});
