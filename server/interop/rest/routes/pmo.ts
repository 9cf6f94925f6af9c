// A launch by a person or an outside program: a root turn of kind ui_action and what it starts.
import * as z from "zod";
import { ProvisionInput } from "@/server/contract/agent";
import { ForkPreview, LaunchPreview, LaunchResult } from "@/server/contract/answers/launches";
import { PlanCheck } from "@/server/contract/answers/plans";
import { AskExpertInput, ForkJoinInput } from "@/server/contract/batch";
import { DelegateInput, LaunchInput, LaunchPrincipalInput } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { LaunchPlanArgs } from "@/server/contract/plan/plan-record";
import { launch } from "@/server/kernel/launch/launch";
import { previewLaunch } from "@/server/kernel/launch/preview-launch";
import { previewPlan } from "@/server/kernel/plan/check-launch";
import { readOffers } from "@/server/kernel/tools/read-offers";
import { id, route } from "../route";

const { tool: ToolName, ...call } = LaunchInput.shape;
const CallBody = z.strictObject({ ...call, dry_run: z.boolean().default(false) });
/** Which of them it is, the tool in the path says: the kernel reads them by it, and its refusals name the field. */
const ShownBody = CallBody.extend({
  args: z
    .union([DelegateInput, LaunchPrincipalInput, ForkJoinInput, AskExpertInput, LaunchPlanArgs, ProvisionInput])
    .describe(
      "Of the tool in the path, in this order: delegate_async, launch_principal, fork_join, ask_expert, launch_plan, provision_agent.",
    ),
});

export const pmoRoutes = [
  route({
    operationId: "launch",
    method: "POST",
    path: "/projects/{project_id}/pmo/{tool}:call",
    summary:
      "Launch delegate_async, launch_principal, provision_agent, fork_join, ask_expert or launch_plan as a root turn, which waits if it starts a batch. `dry_run` checks the input and writes nothing; for fork_join, ask_expert and launch_plan it answers for each task",
    body: CallBody,
    shownBody: ShownBody,
    answer: z.union([LaunchResult, LaunchPreview, ForkPreview, PlanCheck]),
    call: async ({ kernel, params, body }) => {
      const tool = ToolName.safeParse(params.tool);
      if (!tool.success)
        throw new KernelError(
          "not_found",
          `tool ${params.tool} is not served here; use ${ToolName.options.join(", ")}`,
        );
      const { dry_run, ...input } = body;
      const launched = { project_id: id(params, "project_id"), tool: tool.data, ...input };
      if (dry_run && launched.tool === "launch_plan") return previewPlan(kernel, { ...launched, offer: readOffers });
      if (dry_run) return previewLaunch(kernel, { ...launched, offer: readOffers });
      const { result, ...root } = await launch(kernel, launched);
      return { ...root, result };
    },
  }),
];
