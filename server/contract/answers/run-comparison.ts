// Two runs compared, as the API returns it.
import * as z from "zod";
import { partingKinds } from "../run-compare/parting";
import { CompareVerdict as Verdict } from "../run-compare/run-comparison";
import { alignedBys } from "../run-compare/turn-pair";
import { turnStatuses } from "../turn";
import { TurnRef } from "./turns";

const CompareVerdict = Verdict.meta({ id: "CompareVerdict" });

const ComparedTurn = TurnRef.extend({
  context_box_id: z.string(),
  output_box_id: z.string().optional(),
  deliverable_card_id: z.string().optional(),
  context_tokens: z.number(),
  output_tokens: z.number(),
  step_count: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost: z.number().optional().describe("US dollars. Absent if no price is known."),
  note: z.string().optional(),
  error: z.string().optional(),
  duration_ms: z
    .number()
    .optional()
    .describe("From its start to its end, or to now. Absent if it has not begun, or if the imported log has no times."),
  as_in_run: z
    .number()
    .optional()
    .describe("The number of the run whose recorded result stands here. Absent if it ran in this one."),
}).meta({ id: "ComparedTurn" });

const PartingSide = z
  .strictObject({
    agent_turn_id: z.string(),
    headcode: z.string(),
    step: z.number().optional().describe("As the turn counts its steps. Absent if none is recorded there."),
    step_id: z.string().optional(),
    card_id: z.string().optional().describe("The first card that differs. Absent if it has none there."),
    status: z.enum(turnStatuses),
  })
  .meta({ id: "PartingSide" });

const Parting = z
  .strictObject({
    kind: z
      .enum(partingKinds)
      .describe(
        "What differs first. edited: a person changed it in a fork. profile, system_prompt, tools, model: who was asked, and how. instruction, context: what was handed over. model_answer, tool_answer, card: what was written. status: only how they stand. only: one run alone has the turn.",
      ),
    tool_name: z.string().optional(),
    a: PartingSide.optional(),
    b: PartingSide.optional(),
    says: z.string().describe("In words."),
  })
  .meta({ id: "Parting" });

const CompareRow = z
  .strictObject({
    verdict: CompareVerdict.describe("same: nothing that is stored of the two differs, but for ids."),
    at: z.number().describe("Place among all rows, from 0."),
    below: z.number().optional().describe("The place of the row of its caller."),
    depth: z.number(),
    a: ComparedTurn.optional(),
    b: ComparedTurn.optional(),
    aligned_by: z
      .enum(alignedBys)
      .optional()
      .describe(
        "Why they belong together. turn: one turn, taken over from one run to the other. node: the same step of a plan. forked_from, rerun_of: one was started again from the other. place: the same profile, way of calling and place. words: most words of their instructions.",
      ),
    delta: z
      .strictObject({ tokens: z.number(), cost: z.number().optional(), duration_ms: z.number().optional() })
      .optional()
      .describe("What b has more than a. Absent if it is not known of one of them."),
    parts: Parting.optional().describe("Of a changed pair: where they part."),
    by_figures: z
      .literal(true)
      .optional()
      .describe("Too many cards: the verdict is about profile, status, steps, cards and tokens only."),
  })
  .meta({ id: "CompareRow" });

const ComparedRun = z
  .strictObject({
    root_turn_id: z.string(),
    number: z.number(),
    title: z.string(),
    source: z.enum(["launch", "import", "demo"]),
    created_at: z.string(),
    compared: z.number().describe("Turns of it that are compared: the first 5,000, of `total`."),
    total: z.number(),
    figures: z.strictObject({
      turns: z.number(),
      live: z.number().describe("Turns that have not ended."),
      failed: z.number(),
      tokens_in: z.number().optional().describe("As providers reported them. Absent if no turn has a report."),
      tokens_out: z.number().optional(),
      cost: z.number().optional().describe("US dollars. Absent if no turn has a price."),
      unpriced: z.number().describe("Turns that used tokens and have no price. The cost leaves them out."),
      duration_ms: z
        .number()
        .optional()
        .describe("To the end of its last turn, or to now. Absent if the imported log has no times."),
    }),
  })
  .meta({ id: "ComparedRun" });

export const RunComparison = z
  .strictObject({
    a: ComparedRun,
    b: ComparedRun,
    verdicts: z.strictObject({ same: z.number(), changed: z.number(), only_a: z.number(), only_b: z.number() }),
    parts: Parting.optional().describe("The first place where they part. Absent if nothing differs."),
    by_figures: z.number().describe("Pairs whose contents were too many to be compared."),
    rows: z.array(CompareRow).describe("Top down, each below its caller, in the order of time."),
    rows_total: z.number().describe("Rows that fit `verdict`, of which `rows` begins at `from`."),
    from: z.number(),
  })
  .meta({ id: "RunComparison" });
