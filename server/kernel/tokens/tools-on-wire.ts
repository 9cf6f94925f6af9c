// Tool definitions as a request carries them: in the form of the provider's own format, so that what is weighed is what is sent.
import { type ModelClient, modelOf, providerClients } from "@/server/contract/models";
import type { LlmConfig } from "@/server/contract/profile";
import { describedAs, wireNames } from "./tool-names";
import { toolSchema } from "./tool-schema";

export type WireTool = { tool_name: string; description: string; parameters: Record<string, unknown> };

/** Empty for no tools: nothing is sent then. */
export function toolsOnWire(tools: readonly WireTool[], config: LlmConfig): unknown[] {
  const named = modelOf(config);
  if (named === null || tools.length === 0) return [...tools];
  const client: ModelClient = providerClients[named.provider];
  const names = wireNames(
    tools.map((tool) => tool.tool_name),
    client,
  );
  const mended = tools.map(({ tool_name: own, description, parameters }) => {
    const tool_name = names.get(own) ?? own;
    return {
      tool_name,
      description: describedAs(own, tool_name, description),
      parameters: toolSchema(parameters, named.provider),
    };
  });
  return forms[client](mended);
}

const forms: Record<ModelClient, (tools: WireTool[]) => unknown[]> = {
  openai: (tools) =>
    tools.map(({ tool_name: name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict: false,
    })),
  compatible: (tools) =>
    tools.map(({ tool_name: name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
  anthropic: (tools) =>
    tools.map(({ tool_name: name, description, parameters }) => ({ name, description, input_schema: parameters })),
  google: (tools) => [
    {
      functionDeclarations: tools.map(({ tool_name: name, description, parameters }) => ({
        name,
        description,
        parameters,
      })),
    },
  ],
};
