// Two boxes compared, as the API returns it.
import * as z from "zod";
import { boxKinds } from "../box";
import { DiffVerdict as Verdict } from "../box-diff/box-diff";
import { partnerWhys } from "../box-partners";
import { CardLine, Weight } from "./handover";
import { TurnRef } from "./turns";

const DiffVerdict = Verdict.meta({ id: "DiffVerdict" });
const at = z.number().describe("Position in this box, from 0.");

export const PairChange = z
  .discriminatedUnion("how", [
    z.strictObject({
      how: z.literal("words"),
      words: z.array(
        z.strictObject({
          kind: z.enum(["same", "removed", "added"]),
          text: z.string(),
          cut: z.number().optional().describe("Characters that were left out."),
        }),
      ),
      is_coarse: z.literal(true).optional().describe("They differ too much to be compared word by word."),
      left_out: z.number().optional().describe("Changes that were left out."),
    }),
    z.strictObject({
      how: z.literal("paths"),
      paths: z.array(
        z.strictObject({
          kind: z.enum(["removed", "added", "changed"]),
          path: z.string().describe("A JSON pointer into b, or into a for what was removed."),
          before: z.unknown().optional(),
          after: z.unknown().optional(),
        }),
      ),
      left_out: z.number().optional().describe("Changes that were left out."),
    }),
    z.strictObject({ how: z.literal("none"), reason: z.string().describe("Why they were not compared.") }),
  ])
  .meta({ id: "PairChange" });

const DiffBox = z
  .strictObject({
    box_id: z.string(),
    kind: z.enum(boxKinds),
    cards: z.number(),
    tokens: z.number(),
    turn: TurnRef.optional().describe("The turn that it was made for."),
    step_id: z.string().optional().describe("Of a request: the step that sent it."),
    ordinal: z.number().optional(),
  })
  .meta({ id: "DiffBox" });

const BoxDiffRow = z
  .strictObject({
    verdict: DiffVerdict,
    a: CardLine.extend({ at }).optional(),
    b: CardLine.extend({ at }).optional(),
    same_words: z.literal(true).optional().describe("Two cards with the same words. Otherwise it is one card."),
    paired_by: z.enum(["copy", "alike"]).optional(),
    alike: z.number().optional().describe("The share of runs of words that both have, 0.5 to 1."),
    change: PairChange.optional().describe("What differs inside a rewritten pair."),
  })
  .meta({ id: "BoxDiffRow" });

export const BoxDiff = z
  .strictObject({
    a: DiffBox,
    b: DiffBox,
    verdicts: z.partialRecord(DiffVerdict, Weight.extend({ a: Weight, b: Weight })),
    unpaired: z
      .number()
      .describe("Cards that were not compared by their words, because there were too many. 0 = all were compared."),
    rows: z.array(BoxDiffRow).describe("In the order of b, with removed cards at their old place."),
    rows_total: z.number().describe("Rows that fit `verdict`, of which `rows` begins at `from`."),
    from: z.number(),
  })
  .meta({ id: "BoxDiff" });

export const BoxPartners = z
  .strictObject({
    box: DiffBox,
    partners: z.array(
      z.strictObject({
        why: z
          .enum(partnerWhys)
          .describe(
            "caller: what the caller had at the call. previous_step: the request before it. previous_turn: of the same agent. sibling: of the same fork. forked_from, rerun_of: what its turn was started again from. fork, rerun: what was started again from it.",
          ),
        total: z.number().describe("How many there are, of which `boxes` are the first."),
        boxes: z.array(DiffBox),
      }),
    ),
  })
  .meta({ id: "BoxPartners" });
