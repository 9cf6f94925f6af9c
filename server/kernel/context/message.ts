// One message of a request, before it is translated for a provider.
import type { ArtifactRef } from "@/server/contract/artifact";
import type { Role } from "@/server/contract/card";

export type Message = {
  role: Role;
  text: string;
  /** The cards the text was made from, in order. */
  card_ids: string[];
  tokens: number;
  /** Pictures of a result; sent only if the model takes pictures. The text mentions them in words. */
  pictures?: ArtifactRef[];
  tool_calls?: unknown[];
  tool_call_id?: string;
  /** Data that the model needs back with its own answer: signatures, thinking. Nothing else reads it. */
  model_state?: unknown;
};
