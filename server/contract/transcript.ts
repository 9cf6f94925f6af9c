// The transcript of a run: what is asked of it. Lines are the messages of all its agents in the order of time.
import * as z from "zod";
import { Id } from "./ids";

export const transcriptKinds = [
  "asked",
  "said",
  "called",
  "result",
  "asked_person",
  "person_answered",
  "answered",
  "failed",
] as const;
export type TranscriptKind = (typeof transcriptKinds)[number];

/** Of a line's text: the rest is read with its card. */
export const LINE_CHARS_MAX = 6_000;
/** Of the last message of a log: an answer stands at its end. */
export const GIVEN_CHARS_MAX = 600;
/** A run has at most so many turns in its transcript, the first of it. */
export const TRANSCRIPT_TURNS_MAX = 10_000;
/** Words that are searched for at once. */
export const TRANSCRIPT_WORDS_MAX = 20;

export const wordsIn = (q: string): string[] => q.split(/\s+/).filter(Boolean);
const PAGE_MAX = 500;
const PAGE = 100;

export const TranscriptQuery = z
  .object({
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE),
    cursor: z.string().max(1_000).optional(),
    agent_id: Id.optional().describe("Only what this agent said or was told."),
    q: z
      .string()
      .trim()
      .max(200)
      .refine((q) => wordsIn(q).length <= TRANSCRIPT_WORDS_MAX, `expected at most ${TRANSCRIPT_WORDS_MAX} words`)
      .optional()
      .describe("Only lines whose text, names or tool contain each of these words, in any case."),
    from_turn: Id.optional().describe("Without a cursor: begin at the first line of this turn."),
    from_card: Id.optional().describe("Without a cursor: begin at the line of this card."),
  })
  .strict();
export type TranscriptQuery = z.infer<typeof TranscriptQuery>;
