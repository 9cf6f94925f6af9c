// Lines of a transcript, and who did what in a run, as they are answered.
import * as z from "zod";
import { GIVEN_CHARS_MAX, LINE_CHARS_MAX, TRANSCRIPT_TURNS_MAX, transcriptKinds } from "../transcript";
import { turnStatuses } from "../turn";
import { pageAnswer } from "./page";

export const TranscriptLine = z
  .strictObject({
    line_id: z.string().describe("Unique in the run, and the same whenever it is read."),
    card_id: z.string(),
    agent_turn_id: z.string().describe("The turn that wrote it. Of a task without a caller the turn that was asked."),
    headcode: z.string(),
    to_turn_id: z.string().optional().describe("The turn that it began, or that was told."),
    to_headcode: z.string().optional(),
    kind: z
      .enum(transcriptKinds)
      .describe(
        "`asked` a task was handed over, `said` to nobody in particular, `called` a tool, `result` of a tool, `asked_person`, `person_answered`, `answered` its caller with a deliverable, `failed` ended without a deliverable of its own.",
      ),
    from: z.string().optional().describe("The agent that wrote it. Absent where a person of no turn did, see `by`."),
    from_name: z.string().optional(),
    by: z.string().optional().describe("The person who decided a request."),
    to: z.string().optional().describe("The agent it was said to. Absent if the log names none."),
    to_name: z.string().optional(),
    at: z.string().describe("Of an imported log without times, made up in the order of the log."),
    type: z.string().describe("Type of the card."),
    text: z
      .string()
      .describe(`The first ${LINE_CHARS_MAX} characters; of arguments, results and objects, JSON. Empty if deleted.`),
    letters: z.number().describe("Characters of the whole text."),
    tool_name: z.string().optional(),
    tool_call_id: z.string().optional(),
    status: z.string().optional().describe("Of a result or a deliverable."),
    history_index: z.number().optional().describe("Its place in the imported log, from 0."),
    mistake: z.string().optional().describe("The log names this message as the mistake; the reason that it gives."),
    is_deleted: z.literal(true).optional().describe("The content of the card was deleted or has expired."),
  })
  .meta({ id: "TranscriptLine" });
export type TranscriptLine = z.infer<typeof TranscriptLine>;

export const TranscriptPage = pageAnswer(TranscriptLine).extend({
  total: z
    .number()
    .describe(
      "Lines of the run that fit what was asked for. While a run goes on, exact on the first page and on the last.",
    ),
  of: z.number().describe("Lines of the run, of all agents and with any words."),
  before: z.number().describe("Lines before the first of this page."),
  is_partial: z
    .boolean()
    .describe(`The run has more than ${TRANSCRIPT_TURNS_MAX} turns. The lines are of the first so many.`),
});
export type TranscriptPage = z.infer<typeof TranscriptPage>;

const Actor = z.strictObject({
  agent_id: z.string(),
  name: z.string(),
  profile_name: z.string(),
  is_human: z.boolean(),
  turns: z.number(),
  /** Turns that failed or ran out of time. */
  failed: z.number(),
  said: z.number().describe("Messages, tasks and deliverables that it wrote."),
  calls: z.number().describe("Tool calls."),
  mistakes: z.number().describe("Messages of it that the log names as a mistake."),
});

const Wrong = z.strictObject({
  agent_turn_id: z.string(),
  agent_id: z.string(),
  headcode: z.string(),
  status: z.enum(turnStatuses),
  card_id: z.string().optional().describe("What is marked, or what it ended with."),
  reason: z.string(),
});

export const TranscriptHead = z
  .strictObject({
    root_turn_id: z.string(),
    number: z.number(),
    title: z.string(),
    source: z.enum(["launch", "import", "demo"]),
    has_times: z.boolean().describe("False for an imported log without a clock."),
    is_live: z.boolean().describe("A turn has not ended."),
    agents: z.array(Actor).describe("In the order of their first turn, people included. At most 500."),
    agents_total: z.number(),
    mistakes: z.array(Wrong).describe("Messages that an imported log names as the mistake."),
    failures: z.array(Wrong).describe("The first 20 turns that failed or ran out of time."),
    failures_total: z.number(),
    question: z.string().optional().describe("Of an imported log."),
    expected: z.string().optional().describe("The answer that an imported log names as correct."),
    given: z
      .strictObject({ card_id: z.string(), agent_turn_id: z.string(), text: z.string(), letters: z.number() })
      .optional()
      .describe(`The last message of an imported log: its last ${GIVEN_CHARS_MAX} characters.`),
    is_partial: z.boolean(),
  })
  .meta({ id: "TranscriptHead" });
export type TranscriptHead = z.infer<typeof TranscriptHead>;
