// Where a card was seen, as the API returns it.
import * as z from "zod";
import { BoxKind } from "./boxes";

const SightingBox = z
  .strictObject({
    box_id: z.string(),
    kind: BoxKind,
    position: z.number(),
    origin: z.string(),
    owner_agent_id: z.string().optional(),
    owner_turn_id: z.string().optional(),
    created_at: z.string(),
  })
  .meta({ id: "SightingBox" });
const SightingTurn = z
  .strictObject({
    agent_turn_id: z.string(),
    agent_id: z.string(),
    headcode: z.string(),
    as: z.array(z.enum(["output", "context", "request", "memory"])),
    created_at: z.string(),
  })
  .meta({ id: "SightingTurn" });
export const Sightings = z
  .strictObject({
    card_id: z.string(),
    boxes: z.array(SightingBox),
    turns: z.array(SightingTurn),
    agents: z.array(
      z.strictObject({
        agent_id: z.string(),
        turns: z.number(),
      }),
    ),
    boxes_total: z.number(),
    requests_total: z.number().describe("How often it was sent to a model."),
    turns_total: z.number(),
    first_seen: z.string().optional(),
    last_seen: z.string().optional(),
  })
  .meta({ id: "Sightings" });
