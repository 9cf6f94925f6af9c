// Where a card was seen, as the API returns it.
import * as z from "zod";
import { SeenWhy } from "@/server/contract/sightings";
import { BoxKind } from "./boxes";

const SightingBox = z
  .strictObject({
    box_id: z.string(),
    kind: BoxKind,
    position: z.number(),
    origin: z.string(),
    owner_agent_id: z.string().optional(),
    owner_turn_id: z.string().optional(),
    card_id: z.string().describe("The card that it holds."),
    why: SeenWhy,
    created_at: z.string(),
  })
  .meta({ id: "SightingBox" });
const SightingTurn = z
  .strictObject({
    agent_turn_id: z.string(),
    agent_id: z.string(),
    headcode: z.string(),
    as: z.array(z.enum(["output", "context", "request", "memory"])),
    why: z.array(SeenWhy),
    created_at: z.string(),
  })
  .meta({ id: "SightingTurn" });
export const Sightings = z
  .strictObject({
    card_id: z.string(),
    cards: z
      .array(z.strictObject({ card_id: z.string(), why: SeenWhy }))
      .describe("The card, and those that count with it."),
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
    looked_at: z
      .number()
      .optional()
      .describe("There are more places than are looked at: all but boxes_total is of the newest so many."),
    first_seen: z.string().optional(),
    last_seen: z.string().optional(),
  })
  .meta({ id: "Sightings" });
