// One message of a request, before it is put into any provider's words.
import type { ArtifactRef } from "@/server/contract/artifact";
import type { Role } from "@/server/contract/card";

export type Message = {
  role: Role;
  text: string;
  /** Cards the text was made of, in order. */
  card_ids: string[];
  tokens: number;
  /** That came with a result; only where the model takes pictures. The text says in words that they are there. */
  pictures?: ArtifactRef[];
  tool_calls?: unknown[];
  tool_call_id?: string;
  /** What the model that said this wants back with it: signatures, thinking. Nobody else reads it. */
  model_state?: unknown;
};
