// What agents ask people, as the API returns it.
import * as z from "zod";
import { humanRequestKinds, humanRequestStatuses } from "../asking";
import { ChainLink, TurnRef } from "./turns";

export const HumanRequestKind = z.enum(humanRequestKinds).meta({ id: "HumanRequestKind" });
export const HumanRequestStatus = z.enum(humanRequestStatuses).meta({ id: "HumanRequestStatus" });
const Question = z
  .strictObject({
    question: z.string(),
    details: z.string().optional(),
  })
  .meta({ id: "Question" });
export const HumanRequest = z
  .strictObject({
    status: HumanRequestStatus,
    agent_id: z.string(),
    root_turn_id: z.string(),
    agent_turn_id: z.string(),
    tool_name: z.string(),
    tool_call_id: z.string(),
    rev: z.number(),
    turn_epoch: z.number(),
    step_id: z.string().optional(),
    decided_by: z.string().optional(),
    is_edited: z.boolean().describe("A person changed the model's arguments before approving."),
    reason: z.string().optional(),
    decision_card_id: z.string().optional(),
    deadline_at: z.string().optional(),
    created_at: z.string(),
    decided_at: z.string().optional(),
    kind: HumanRequestKind,
    request_id: z.string(),
    question: Question.optional(),
    choices: z.array(z.string()).optional(),
    arguments: z.unknown().optional(),
    parameters: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the arguments."),
    answer: z.string().optional(),
    edited_arguments: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "HumanRequest" });
export const HumanRequestLine = HumanRequest.extend({
  turn: TurnRef,
  display_name: z.string().optional(),
  chain: z.array(ChainLink),
}).meta({ id: "HumanRequestLine" });
