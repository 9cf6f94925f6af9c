// What is sent to a model next, for workers of every language: the built-in one and one over REST that stand at the same
// place in the same turn send the same.
import type { Card } from "@/server/contract/card";
import { countTokens } from "../cardbox/count-tokens";
import { assembleMessages } from "../context/assemble-messages";
import type { Message } from "../context/message";
import type { Scene } from "./read-scene";
import { renderer } from "./renderer";

export type OfferedTool = { tool_name: string; description: string; parameters: Record<string, unknown> };

/** What a profile may call: offered to the model, and listed by name in its system prompt. */
export type Tools = { offered: OfferedTool[]; declared: readonly string[]; universal: readonly string[] };

/** Where the turn stands: the cards it has written, and the steps it has taken of those it may take. */
export type Standing = { own_cards: Card[]; steps_done: number; steps_max: number };

export type NextRequest = {
  system: string;
  messages: Pick<Message, "role" | "text" | "tool_calls" | "tool_call_id" | "model_state">[];
  tools: OfferedTool[];
  /** Estimated: system, messages and tools, which is what a provider reports. */
  tokens: number;
  /** Cards that the messages are made of, in order. */
  card_ids: string[];
};

const warnedSteps = 2;
const submit = "submit_result";

export function nextRequest(scene: Scene, tools: Tools, standing: Standing): NextRequest {
  const { turn, profile, level, display_name, memory, context, background } = scene;
  const { own_cards, steps_done, steps_max } = standing;
  const assembled = assembleMessages({
    body: profile,
    level,
    agent: { agent_id: turn.agent_id, display_name },
    memory,
    context,
    background,
    output: own_cards,
    renderer,
    tools,
  });
  const left = steps_max - steps_done;
  const offered = left === 1 ? lastTools(tools.offered) : tools.offered;
  return {
    system: left <= warnedSteps ? `${assembled.system}\n\n${budgetWarning(left, steps_max)}` : assembled.system,
    messages: assembled.messages.map(({ role, text, tool_calls, tool_call_id, model_state }) => ({
      role,
      text,
      ...(tool_calls && { tool_calls }),
      ...(tool_call_id !== undefined && { tool_call_id }),
      ...(model_state !== undefined && { model_state }),
    })),
    tools: offered,
    tokens: assembled.tokens + tokensOf(offered),
    card_ids: assembled.card_ids,
  };
}

/** Steps in which the model has spoken. */
export const countSteps = (own_cards: Card[]): number =>
  new Set(own_cards.filter((card) => card.type === "agent.thought").map((card) => card.metadata.step_id)).size;

function budgetWarning(left: number, steps_max: number): string {
  const rest = left === 1 ? "This is the last step" : `${left} steps are left, this one among them`;
  return `## Step budget\n${rest}, of ${steps_max}. Deliver your result now, with what you have.`;
}

// With one step left anything but the result would come to nothing.
function lastTools(tools: OfferedTool[]): OfferedTool[] {
  const ending = tools.filter((tool) => tool.tool_name === submit);
  return ending.length > 0 ? ending : tools;
}

const counted = new WeakMap<OfferedTool[], number>();

/** A turn offers the same list at each step: it is counted once. */
function tokensOf(tools: OfferedTool[]): number {
  const known = counted.get(tools);
  if (known !== undefined) return known;
  const tokens = tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
  counted.set(tools, tokens);
  return tokens;
}
