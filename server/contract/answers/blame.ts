// Where words come from, as the API returns it.
import * as z from "zod";
import { blameEnds, blameEvidence } from "../blame";

const BlameRange = z.strictObject({ start: z.number(), end: z.number() }).meta({ id: "BlameRange" });
const BlamePlace = z
  .strictObject({
    card_id: z.string(),
    type: z.string(),
    author_id: z.string(),
    tokens: z.number(),
    created_at: z.string(),
    range: BlameRange.describe("UTF-16 units of the card's text; from the first to the last of `ranges`."),
    ranges: z.array(BlameRange),
    words: z.string().describe("The first 300 characters of the ranges."),
    agent_turn_id: z.string().optional().describe("The turn that wrote the card, or handed it over."),
    step_id: z.string().optional(),
  })
  .meta({ id: "BlamePlace" });
const carried = {
  evidence: z
    .enum(blameEvidence)
    .describe("How it carries the words before it. join, copy and env_data are records; the others compare words."),
  coverage: z.number().describe("Share of the words before it, from 0 to 1."),
};

export const BlameAnswer = z
  .strictObject({
    start: BlamePlace.optional().describe("Absent for `text`."),
    hops: z.array(
      BlamePlace.extend({
        ...carried,
        headcode: z.string().optional(),
        profile_name: z.string().optional(),
        others: z.array(BlamePlace.extend(carried)).describe("The next best, at most four."),
        found: z.number().describe("How many cards carry the words."),
      }),
    ),
    end: z.enum(blameEnds),
    file: z.string().optional().describe("Of the end file: the path that the context pack names."),
    is_partial: z.boolean().describe("True if something was not looked at."),
    looked_at: z.strictObject({ cards: z.number(), turns: z.number() }),
  })
  .meta({ id: "BlameAnswer" });
