// What an agent can do, asked for instead of sent with every request.
import { DelegationPolicy } from "@/server/contract/profile";
import { listRunnablePlans } from "../plan/read-plans";
import type { InlineTool } from "./inline-tool";

export const listCapabilities: InlineTool = {
  tool_name: "list_capabilities",
  is_universal: true,
  description:
    "List all tools you may call, with their parameters, the profiles you may delegate to, and the plans you may launch.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  run: async ({ kernel, turn, allowed, profile }) => {
    const policy = DelegationPolicy.safeParse(profile.delegation_policy);
    const mayLaunch = allowed.some(({ tool_name }) => tool_name === "launch_plan");
    const { project_id } = turn;
    return {
      status: "success",
      result: {
        tools: allowed.map(({ tool_name, description, parameters }) => ({ tool_name, description, parameters })),
        may_delegate_to: policy.success ? policy.data : null,
        ...(mayLaunch && { plans: await listRunnablePlans(kernel, { project_id, profile_name: profile.name }) }),
      },
    };
  },
};
