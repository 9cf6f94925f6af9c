// One message of a request, before it is put into any provider's words.
import type { Role } from "@/server/contract/card";

export type Message = {
  role: Role;
  text: string;
  /** Cards the text was made of, in order. */
  card_ids: string[];
  tokens: number;
  tool_calls?: unknown[];
  tool_call_id?: string;
  /** What the model that said this wants back with it: signatures, thinking. Nobody else reads it. */
  model_state?: unknown;
};
