// A turn asks a person and waits for the answer: the wait, the request and its frame are written in one transaction. If a
// worker that took over the turn repeats the call, the request already exists.
import type { HumanRequestKind, Question } from "@/server/contract/asking";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { ASK_HUMAN, approvalOf, insertWait } from "../inbox/waits";
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";

export type NewRequest = {
  kind: HumanRequestKind;
  step_id: string;
  tool_call_id: string;
  tool_call_card_id: string;
  tool_name: string;
  question?: Question;
  choices?: string[];
  arguments?: unknown;
  parameters?: Record<string, unknown>;
  /** Absent = no deadline. */
  timeout_ms?: number;
};

const INSERT = `
  INSERT INTO state.human_requests (project_id, request_id, kind, agent_id, agent_turn_id, root_turn_id, turn_epoch, step_id,
    tool_call_id, tool_call_card_id, tool_name, question, choices, arguments, parameters, deadline_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13::jsonb, $14::jsonb, $15::jsonb, $16)
  ON CONFLICT (project_id, tool_call_id) DO NOTHING
  RETURNING ${columnsOf(REQUEST_COLUMNS, "human_requests")}`;

/** `row` is locked. Returns until when the turn waits at the latest, as ISO. */
export async function openRequest(
  unit: Unit,
  { row, request }: { row: TurnRow; request: NewRequest },
): Promise<{ deadline?: string }> {
  const { project_id, agent_id, agent_turn_id, turn_epoch } = row;
  const { kind, step_id, tool_call_id, tool_call_card_id, tool_name } = request;
  const { deadline_at } = await insertWait(unit, {
    project_id,
    agent_id,
    agent_turn_id,
    turn_epoch,
    tool_call_id: kind === "approval" ? approvalOf(tool_call_id) : tool_call_id,
    tool_name: ASK_HUMAN,
    step_id,
    tool_call_card_id,
    timeout_ms: request.timeout_ms,
  });
  const [made] = await unit.query<HumanRequestRow>("human_request_open", INSERT, [
    project_id,
    unit.kernel.newId("hr_"),
    kind,
    agent_id,
    agent_turn_id,
    row.root_turn_id,
    turn_epoch,
    step_id,
    tool_call_id,
    tool_call_card_id,
    tool_name,
    ...[request.question, request.choices, request.arguments, request.parameters].map(asJson),
    deadline_at,
  ]);
  if (made) unit.frame(project_id, humanRequestFrame(made));
  return deadline_at === null ? {} : { deadline: new Date(deadline_at).toISOString() };
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
