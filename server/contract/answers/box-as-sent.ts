// A box as the messages that a model would be sent, as the API returns it and as the page draws it.
import * as z from "zod";
import { ArtifactRef } from "../artifact";
import { boxKinds } from "../box";
import { Role } from "../card";
import { TurnRef } from "./turns";

const text = { text: z.string(), letters: z.number().describe("Of the whole text: `text` is cut if it is shorter.") };

const SentMessage = z
  .strictObject({
    ...text,
    role: Role,
    tokens: z.number(),
    cards: z
      .array(
        z.strictObject({
          card_id: z.string(),
          type: z.string(),
          position: z.number().describe("In the box, from 0."),
        }),
      )
      .describe("The cards it was built from, in order."),
    tool_calls: z.array(
      z.strictObject({
        id: z.string(),
        tool_name: z.string(),
        arguments: z.string(),
        letters: z.number().describe("Of the whole arguments."),
      }),
    ),
    tool_call_id: z.string().optional(),
    pictures: z.array(ArtifactRef).optional(),
  })
  .meta({ id: "SentMessage" });

export const BoxAsSent = z
  .strictObject({
    box_id: z.string(),
    kind: z.enum(boxKinds),
    cards: z.number().describe("Cards in the box."),
    cards_read: z.number().describe("Cards that were rendered: the first ones, at most 2,000 and 8 MB."),
    cards_unsent: z.number().describe("Cards among them that are in no message."),
    reader: TurnRef.optional().describe(
      "The newest turn that reads the box. It was rendered with this turn's profile.",
    ),
    system: z
      .strictObject({
        ...text,
        card_id: z
          .string()
          .optional()
          .describe("The stored prompt of a request. Without it, the prompt is rendered now."),
      })
      .optional()
      .describe("The system prompt. Absent without a reader."),
    messages: z.array(SentMessage).describe("The first ones, with at most 1 MB of text together."),
    messages_total: z.number(),
  })
  .meta({ id: "BoxAsSent" });
export type BoxAsSent = z.infer<typeof BoxAsSent>;
export type SentMessage = z.infer<typeof SentMessage>;
