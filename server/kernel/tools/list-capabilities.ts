// What an agent can do, asked for instead of sent with every request.
import { DelegationPolicy } from "@/server/contract/profile";
import type { InlineTool } from "./inline-tool";

export const listCapabilities: InlineTool = {
  tool_name: "list_capabilities",
  is_universal: true,
  description: "List all tools you may call, with their parameters, and the profiles you may delegate to.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  run: async ({ allowed, profile }) => {
    const policy = DelegationPolicy.safeParse(profile.delegation_policy);
    return {
      status: "success",
      result: {
        tools: allowed.map(({ tool_name, description, parameters }) => ({ tool_name, description, parameters })),
        may_delegate_to: policy.success ? policy.data : null,
      },
    };
  },
};
