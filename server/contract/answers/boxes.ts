// Boxes as the API returns them, with their cards and receipts.
import * as z from "zod";
import { boxKinds } from "../box";
import { Card } from "./cards";

export const BoxKind = z.enum(boxKinds).meta({ id: "BoxKind" });
export const Box = z
  .strictObject({
    box_id: z.string(),
    project_id: z.string(),
    kind: BoxKind,
    owner_agent_id: z.string().optional(),
    owner_turn_id: z.string().optional(),
    length: z.number(),
    token_sum: z.number(),
    consist: z.string(),
    rev: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Box" });
const Verdict = z.enum(["included", "withheld", "duplicate", "redacted"]).meta({ id: "Verdict" });
const ReceiptLine = z
  .strictObject({
    verdict: Verdict,
    origin: z.string().describe("arg:<name> | box:<id> | card | ptr | sys"),
    box_id: z.string().optional(),
    from: z.number().optional(),
    to: z.number().optional(),
    card_id: z.string().optional(),
    cards: z.number(),
    tokens: z.number(),
    reason: z.string().optional(),
  })
  .meta({ id: "ReceiptLine" });
export const Receipt = z
  .strictObject({
    lines: z.array(ReceiptLine),
    included_cards: z.number(),
    included_tokens: z.number(),
    left_out_cards: z.number(),
    order: z.enum(["arguments_first", "inherited_first"]),
    hash: z
      .string()
      .describe(
        "sha256 of the handed-over cards in order: inherited ones by id, packed ones by content. Dry run and launch agree.",
      ),
    recipe: z
      .strictObject({ name: z.string(), version: z.number() })
      .optional()
      .describe("The saved recipe it was packed with. Absent = the built-in one, or rules of its own."),
  })
  .meta({ id: "Receipt" });
export const BoxDetail = Box.extend({
  card_ids: z.array(z.string()),
  receipt: Receipt.optional(),
}).meta({ id: "BoxDetail" });
export const BoxCard = Card.extend({
  position: z.number(),
  origin: z.string(),
  before_tokens: z.number(),
}).meta({ id: "BoxCard" });
export const BatchBoxes = z
  .strictObject({
    boxes: z.array(BoxDetail.omit({ receipt: true }).extend({ hydrated_cards: z.array(BoxCard).optional() })),
    missing_box_ids: z.array(z.string()),
    missing_card_ids: z.array(z.string()),
  })
  .meta({ id: "BatchBoxes" });
