// Builds the next request to a model, for workers in every language: the built-in one and one over REST at the same place in
// the same turn send the same.
import type { Card } from "@/server/contract/card";
import type { Message } from "../context/message";
import { type RenderedRequest, renderRequest, type Tools } from "../context/render-request";
import type { Scene } from "./read-scene";
import { renderer } from "./renderer";

/** The state of the turn: the cards it has written, and the steps it has used of its budget. */
export type Standing = { own_cards: Card[]; steps_done: number; steps_max: number };

export type NextRequest = Omit<RenderedRequest, "messages"> & {
  messages: Pick<Message, "role" | "text" | "tool_calls" | "tool_call_id" | "model_state" | "pictures">[];
};

export function nextRequest(scene: Scene, tools: Tools, standing: Standing): NextRequest {
  const { turn, profile, level, display_name, memory, context, background } = scene;
  const { own_cards, ...steps } = standing;
  const { messages, ...rendered } = renderRequest({
    body: profile,
    level,
    agent: { agent_id: turn.agent_id, display_name },
    memory,
    context,
    background,
    output: own_cards,
    renderer,
    tools,
    ...steps,
  });
  return {
    ...rendered,
    messages: messages.map(({ role, text, tool_calls, tool_call_id, model_state, pictures }) => ({
      role,
      text,
      ...(tool_calls && { tool_calls }),
      ...(tool_call_id !== undefined && { tool_call_id }),
      ...(model_state !== undefined && { model_state }),
      ...(pictures && { pictures }),
    })),
  };
}

/** Steps in which the model has spoken. */
export const countSteps = (own_cards: Card[]): number =>
  new Set(own_cards.filter((card) => card.type === "agent.thought").map((card) => card.metadata.step_id)).size;
