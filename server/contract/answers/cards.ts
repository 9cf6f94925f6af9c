// Cards as the API returns them.
import * as z from "zod";
import { CardContent, Role } from "../card";

export const AfterExecution = z.enum(["suspend", "terminate"]).meta({ id: "AfterExecution" });
export const Card = z
  .strictObject({
    card_id: z.string(),
    project_id: z.string(),
    type: z.string(),
    role: Role,
    author_id: z.string(),
    content: CardContent.nullable(),
    gone: z.enum(["deleted", "expired"]).optional(),
    tool_calls: z.array(z.unknown()).optional(),
    tool_call_id: z.string().optional(),
    ttl_seconds: z.number().optional(),
    metadata: z.record(z.string(), z.unknown()),
    content_hash: z.string(),
    token_count: z.number().describe("Estimated tokens (o200k) of what is sent to a model."),
    created_at: z.string(),
  })
  .meta({ id: "Card" });
