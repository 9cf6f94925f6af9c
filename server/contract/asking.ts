// How an agent asks people, and how they decide.
import * as z from "zod";
import { YEAR_S } from "./bounds";
import { mendText } from "./text";

/** plan_hold: a node of a plan must be let start. */
export const humanRequestKinds = ["question", "approval", "plan_hold"] as const;
export type HumanRequestKind = (typeof humanRequestKinds)[number];

export const humanRequestStatuses = ["open", "answered", "approved", "denied", "expired", "dropped"] as const;
export type HumanRequestStatus = (typeof humanRequestStatuses)[number];

/** jsonb and text cannot store NUL or half a surrogate pair. */
const words = (max: number, name: string) =>
  z
    .string()
    .trim()
    .max(max, `${name} has at most ${max} letters`)
    .refine((value) => !mendText(value).mended, "contains a NUL byte or half a surrogate pair; remove it");

const REASON_MAX = 2_000;
const ANSWER_MAX = 100_000;

export const AskHumanArgs = z.strictObject({
  question: z.string().trim().min(1).max(20_000),
  choices: z.array(z.string().trim().min(1).max(200)).min(1).max(20).optional(),
  details: z.string().max(ANSWER_MAX).optional(),
  timeout_seconds: z.number().positive().max(YEAR_S).optional(),
});
export type AskHumanArgs = z.infer<typeof AskHumanArgs>;

export const Decision = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("answer"),
    answer: words(ANSWER_MAX, "an answer").pipe(z.string().min(1, "is empty; say something")),
  }),
  z.strictObject({
    action: z.literal("approve"),
    /** Replaces the model's arguments. */
    arguments: z.record(z.string(), z.json()).optional(),
    reason: words(REASON_MAX, "a reason").optional(),
  }),
  z.strictObject({
    action: z.literal("deny"),
    reason: words(REASON_MAX, "a reason").pipe(z.string().min(1, "is empty; the agent is told why")),
  }),
]);
export type Decision = z.infer<typeof Decision>;

export type Question = { question: string; details?: string };
