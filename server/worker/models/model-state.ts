// Data that a provider needs back with its own answers: signatures of thoughts, the thoughts themselves, ids. It is kept in
// the metadata of the answer's card and sent only to the model that wrote it.
import * as z from "zod";
import type { SdkMetadata } from "./sdk-types";

/** Parts of an answer in order. Text is stored as its length, so that the words are in one place only. */
const StatePart = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("reasoning"), text: z.string(), metadata: z.unknown().optional() }),
  z.object({ kind: z.literal("text"), length: z.int(), metadata: z.unknown().optional() }),
  z.object({ kind: z.literal("call"), metadata: z.unknown().optional() }),
]);
export type StatePart = z.infer<typeof StatePart>;

const ModelState = z.object({ provider: z.string(), model: z.string(), parts: z.array(StatePart) });
export type ModelState = z.infer<typeof ModelState>;

export type Speaker = { provider: string; model: string };

/** null for another model's answer, and for a state that no longer matches the card (a redacted copy, for example). */
export function readState(given: unknown, speaker: Speaker, said: { text: string; calls: number }): ModelState | null {
  const { success, data } = ModelState.safeParse(given);
  if (!success || data.provider !== speaker.provider || data.model !== speaker.model) return null;
  const letters = data.parts.reduce((sum, part) => sum + (part.kind === "text" ? part.length : 0), 0);
  const calls = data.parts.filter((part) => part.kind === "call").length;
  return letters === said.text.length && calls === said.calls ? data : null;
}

/** For the SDK; undefined when there is nothing to give back. */
export const optionsOf = (part: { metadata?: unknown }): { providerOptions?: SdkMetadata } =>
  part.metadata === undefined ? {} : { providerOptions: part.metadata as SdkMetadata };
