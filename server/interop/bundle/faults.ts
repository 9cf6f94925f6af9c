// What is wrong with a line although its shape is right: states that no run can be in, names that are the kernel's own, and content
// that is not what its digest says.
import { createHash } from "node:crypto";
import type { BatchLine, HumanRequestLine, RequestLine, TurnLine } from "@/server/contract/bundle/lines";
import { isLive } from "@/server/contract/bundle/lines";
import type { PlanRunLine } from "@/server/contract/bundle/plan-lines";
import type { AgentLine, BoxLine, CardLine, ProfileLine, ToolLine } from "@/server/contract/bundle/store-lines";
import type { Card } from "@/server/contract/card";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import { internalTools } from "@/server/contract/tool";
import { isReserved } from "@/server/contract/worker-target";
import { contentHash } from "@/server/kernel/cardbox/draft-card";
import type { LinedPart } from "./part-lines";

/** null = nothing. */
export function faultOf(part: LinedPart, line: unknown): string | null {
  return faults[part]?.(line as never) ?? null;
}

const faults: Partial<Record<LinedPart, (line: never) => string | null>> = {
  "turns.jsonl": ofTurn,
  "requests.jsonl": ({ text, base64 }: RequestLine) =>
    (text === null) === (base64 === null) ? "write either text or base64" : null,
  "cards.jsonl": ofCard,
  "boxes.jsonl": ({ card_ids, origins }: BoxLine) =>
    origins.reduce((sum, [count]) => sum + count, 0) === card_ids.length ? null : "origins do not add up to card_ids",
  "agents.jsonl": ofAgent,
  "profiles.jsonl": ({ name, worker_target }: ProfileLine) =>
    /^sys\./i.test(name) || isReserved(worker_target)
      ? `profile ${name.slice(0, 80)} has a reserved name or target (human, sys.*)`
      : null,
  "tools.jsonl": ({ tool_name }: ToolLine) =>
    isReserved(tool_name) || (internalTools as readonly string[]).includes(tool_name)
      ? `tool_name ${tool_name} is reserved`
      : null,
  "batches.jsonl": ofBatch,
  "human_requests.jsonl": ofRequest,
  "plan_runs.jsonl": ofPlanRun,
};

function ofTurn(turn: TurnLine): string | null {
  if (isLive(turn.status) !== (turn.ended_at === null))
    return `a turn that is ${turn.status} and its ended_at do not go together`;
  if (!isLive(turn.status) && turn.deliverable_card_id === null)
    return "a turn that has ended has a deliverable_card_id";
  if (turn.status !== "queued" && turn.output_box_id === null) return "a turn that has begun has an output_box_id";
  return turn.is_human && !turn.agent_id.startsWith("human_") ? `${turn.agent_id} is no person's id` : null;
}

function ofCard({
  content,
  gone,
  tool_calls,
  tool_call_id,
  metadata,
  content_hash,
  deleted_at,
}: CardLine): string | null {
  if ((content === null) !== (gone !== null)) return "content is null exactly where the card is gone";
  if ((gone === "deleted") !== (deleted_at !== null)) return "deleted_at is set exactly where the card is deleted";
  if (content === null) return null;
  const { type, role } = metadata;
  const found = contentHash({ content, tool_calls, tool_call_id, type, role } as unknown as Card);
  return found === content_hash ? null : "content_hash is not that of the content";
}

function ofAgent({ agent_id, worker_target, profile_name, is_human }: AgentLine): string | null {
  if (is_human) return agent_id.startsWith("human_") ? null : `${agent_id} is no person's id`;
  if (agent_id.startsWith("human_")) return `${agent_id} is reserved for a person`;
  if (isReserved(worker_target)) return `worker_target ${worker_target.slice(0, 80)} is reserved (human, sys.*)`;
  return /^sys\./i.test(profile_name) ? `profile_name ${profile_name.slice(0, 80)} is reserved (sys.*)` : null;
}

function ofBatch(batch: BatchLine): string | null {
  if ((batch.status === "running") !== (batch.ended_at === null))
    return "a batch runs exactly as long as it has no ended_at";
  if (
    batch.policy === null &&
    (batch.gate_at !== null || batch.closed_by !== null || batch.arrivals.length + batch.late.length > 0)
  )
    return "a batch without a policy has no gate_at, closed_by, arrivals or late";
  const stray = batch.tasks.find((task) => task.batch_id !== batch.batch_id);
  if (stray) return `task ${stray.batch_task_id} is of another batch`;
  const seats = new Set(batch.tasks.map((task) => task.task_index));
  if (seats.size < batch.tasks.length) return "two tasks have one task_index";
  if (batch.tasks.length !== batch.task_count)
    return `task_count is ${batch.task_count}, and there are ${batch.tasks.length} tasks`;
  const beyond = batch.tasks.find((task) => task.task_index >= batch.task_count);
  if (beyond) return `task_index ${beyond.task_index} is not below task_count`;
  return batch.tasks.some((task) => task.status === "dispatched" && task.agent_turn_id === null)
    ? "a dispatched task has an agent_turn_id"
    : null;
}

function ofRequest({ status, kind, decided_at, decided_by }: HumanRequestLine): string | null {
  if ((status === "open") !== (decided_at === null)) return "a request is open exactly as long as it has no decided_at";
  if (status === "answered" && kind !== "question") return "only a question is answered";
  if ((status === "approved" || status === "denied") && kind === "question")
    return "a question is neither approved nor denied";
  return ["answered", "approved", "denied"].includes(status) && decided_by === null ? "decided_by is missing" : null;
}

/** The drawing has to be one that the pages can read: its shape alone lets a node name another that is not there. */
function ofPlanRun({ status, ended_at, body, layout }: PlanRunLine): string | null {
  if ((status === "running") !== (ended_at === null)) return "a plan runs exactly as long as it has no ended_at";
  const read = parsePlan({ ...body, layout });
  return "fault" in read ? `body.${read.fault.path}: ${read.fault.message}` : null;
}

/** Of a step's request, as the step names it. */
export function digestOf({ text, base64 }: RequestLine): string {
  return createHash("sha256")
    .update(text ?? Buffer.from(base64 ?? "", "base64"))
    .digest("hex");
}
