// What one model call is sent, and its weight. A dry run and a running turn both use this, so that the preview of a launch is
// its first request.
import { sentTokens } from "../tokens/sent-tokens";
import type { WireTool } from "../tokens/tools-on-wire";
import { type AssembleInput, assembleMessages } from "./assemble-messages";
import type { Message } from "./message";

export type OfferedTool = WireTool;

/** What a profile may call: offered to the model, and listed by name in its system prompt. */
export type Tools = { offered: OfferedTool[]; declared: readonly string[]; universal: readonly string[] };

export type RenderInput = Omit<AssembleInput, "tools"> & {
  tools: Tools;
  /** The steps it has taken of those it may take. */
  steps_done: number;
  steps_max: number;
};

export type RenderedRequest = {
  system: string;
  messages: Message[];
  tools: OfferedTool[];
  /** Estimated, all of it, and of the tool definitions alone (docs/tokens.md, "sent"). */
  tokens: number;
  tools_tokens: number;
  /** Cards that the messages are made of, in order. */
  card_ids: string[];
};

const warnedSteps = 2;
const submit = "submit_result";

export function renderRequest(input: RenderInput): RenderedRequest {
  const { tools, steps_done, steps_max, body } = input;
  const assembled = assembleMessages(input);
  const left = steps_max - steps_done;
  const offered = left === 1 ? lastTools(tools.offered) : tools.offered;
  const system = left <= warnedSteps ? `${assembled.system}\n\n${budgetWarning(left, steps_max)}` : assembled.system;
  const { messages, card_ids } = assembled;
  return {
    system,
    messages,
    tools: offered,
    ...sentTokens({ system, tools: offered, messages, llm_config: body.llm_config }),
    card_ids,
  };
}

function budgetWarning(left: number, steps_max: number): string {
  const rest = left === 1 ? "This is the last step" : `${left} steps are left, this one among them`;
  return `## Step budget\n${rest}, of ${steps_max}. Deliver your result now, with what you have.`;
}

// With one step left, anything but the result would be useless.
function lastTools(tools: OfferedTool[]): OfferedTool[] {
  const ending = tools.filter((tool) => tool.tool_name === submit);
  return ending.length > 0 ? ending : tools;
}
