// An agent added by an operator: checked like any other, with the owner they name.
import type { Agent, NewAgent } from "@/server/contract/agent";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { findProfile } from "./find-profile";
import { insertAgents } from "./insert-agents";
import { newAgentId } from "./new-agent-id";
import { readAgent } from "./read-agents";
import { readProject } from "./read-project";
import { refusePersonId } from "./refuse-person-id";

/** conflict on a taken id; not_found for an unknown profile or owner. */
export async function createAgent(kernel: Kernel, input: { project_id: string } & NewAgent): Promise<Agent> {
  const { project_id } = input;
  await readProject(kernel, project_id);
  if (input.agent_id !== undefined) refusePersonId(input.agent_id);
  if (input.owner_agent_id !== undefined) await readAgent(kernel, { project_id, agent_id: input.owner_agent_id });
  const agent_id = await withUnit(kernel, async (unit) => {
    const profile = await findProfile(unit, { project_id, name: input.profile_name });
    if (!profile)
      throw new KernelError(
        "not_found",
        `profile_name: profile ${input.profile_name} not found in project ${project_id}`,
      );
    const agent_id = input.agent_id ?? newAgentId(profile.name, kernel.newId());
    const made = await insertAgents(unit, {
      project_id,
      agents: [
        {
          agent_id,
          profile_box_id: profile.profile_box_id,
          profile_name: profile.name,
          worker_target: input.worker_target ?? profile.worker_target,
          tags: input.tags ?? profile.tags,
          display_name: input.display_name ?? profile.name,
          owner_agent_id: input.owner_agent_id,
          metadata: input.metadata,
          action: "provision",
          source_agent_id: input.owner_agent_id,
        },
      ],
    });
    if (made.length === 0)
      throw new KernelError("conflict", `agent_id ${agent_id} is taken; choose another or leave it out`);
    return agent_id;
  });
  return readAgent(kernel, { project_id, agent_id });
}
