// The hand-over that made a turn, as the API returns it.
import * as z from "zod";
import { Role } from "../card";
import { HandoverVerdict } from "../handover-diff";
import { RepackVerdict } from "../repack";
import { Refused } from "./launches";
import { Primitive, TurnRef } from "./turns";

export const CardLine = z
  .strictObject({
    card_id: z.string(),
    type: z.string(),
    role: Role,
    author_id: z.string(),
    token_count: z.number(),
    title: z.string().describe("Its first words."),
    excerpt: z.string().optional(),
    gone: z.enum(["deleted", "expired"]).optional(),
    redacted_from: z.string().optional(),
    agent_turn_id: z.string().optional(),
    created_at: z.string(),
  })
  .meta({ id: "CardLine" });
export const Weight = z.strictObject({ cards: z.number(), tokens: z.number() }).meta({ id: "Weight" });
const ColumnWeight = Weight.extend({
  consist: z.string().describe("Its cards in order, as letters of roles with tokens: S120 U400 A30 T12."),
}).meta({ id: "ColumnWeight" });
const at = z.number().describe("Position in this column, from 0.");

const HandoverRow = z
  .strictObject({
    verdict: HandoverVerdict.meta({ id: "HandoverVerdict" }),
    had: CardLine.extend({ at, in: z.enum(["system", "context", "output"]) }).optional(),
    packed: CardLine.extend({ at, origin: z.string() }).optional(),
    saw: CardLine.extend({ at, in: z.enum(["system", "context", "memory"]) }).optional(),
    card: CardLine.optional().describe(
      "In no column of this row: what was left out unseen by the caller, or the original of a copy.",
    ),
    reason: z.string().optional().describe("Why it was left out, trimmed or not sent, or what was redacted."),
    differs: z.literal(true).optional().describe("Not all branches of the fork were given it."),
  })
  .meta({ id: "HandoverRow" });

const RepackedCard = z
  .strictObject({
    card_id: z.string(),
    type: z.string(),
    role: Role,
    token_count: z.number(),
    title: z.string().describe("Its first words."),
    at: z.number().describe("Position in its box, from 0."),
    is_new: z.boolean().describe("The dry run made it. It is stored nowhere."),
  })
  .meta({ id: "RepackedCard" });
const RecipeVersion = z.strictObject({ name: z.string(), version: z.number() });

export const Repack = z
  .union([
    z.strictObject({
      ok: z.literal(true),
      callee: TurnRef,
      recorded: RecipeVersion.optional().describe("Absent = the built-in one, or rules that were not recorded."),
      recipe: RecipeVersion.optional().describe("The one that packed now. Absent = the built-in one."),
      arguments: z.record(z.string(), z.unknown()).describe("The recorded ones."),
      notes: z.array(z.string()),
      held: ColumnWeight,
      now: ColumnWeight,
      verdicts: z.strictObject({ left_out: Weight, changed: Weight, added: Weight, same: Weight }),
      rows: z.array(
        z.strictObject({
          verdict: RepackVerdict,
          held: RepackedCard.optional(),
          now: RepackedCard.optional(),
          reason: z.string().optional().describe("Why it is left out, changed or added, where that is known."),
        }),
      ),
      rows_total: z.number().describe("`rows` has at most 1,000 of them, those that differ first of all."),
    }),
    Refused,
  ])
  .meta({ id: "Repack" });

export const HandoverSheet = z
  .strictObject({
    callee: TurnRef.extend({
      side: z.enum(["request", "context"]),
      is_sent: z.boolean().describe("False = no request is stored, and the context box stands in."),
      step_id: z.string().optional(),
    }),
    caller: TurnRef.extend({
      side: z
        .enum(["request", "boxes", "offered", "fork", "none"])
        .describe(
          "request: of the step that called, and what it had written. boxes: context and output at the call. offered: what a person chose. fork: the request it was forked from.",
        ),
      step_id: z.string().optional(),
      ordinal: z.number().optional(),
    }).optional(),
    primitive: Primitive,
    context_box_id: z.string(),
    recipe: RecipeVersion.optional(),
    has_receipt: z.boolean().describe("False = nothing recorded how it was packed, so it cannot be packed again."),
    had: ColumnWeight,
    packed: ColumnWeight,
    saw: ColumnWeight,
    verdicts: z.partialRecord(HandoverVerdict, Weight.extend({ had: Weight, saw: Weight })),
    branches: z.array(z.strictObject({ agent_turn_id: z.string(), headcode: z.string(), task_index: z.number() })),
    rows: z.array(HandoverRow),
    rows_total: z.number().describe("Rows that fit `verdict`, of which `rows` begins at `from`."),
    from: z.number(),
  })
  .meta({ id: "HandoverSheet" });
