// What a turn may call, read once: what its profile allows of the kernel's tools and of the project's.
import type { ProfileBody } from "@/server/contract/profile";
import type { Tools } from "../context/render-request";
import type { Kernel } from "../kernel";
import { listTools } from "../roster/list-tools";
import type { Guests } from "./guests";
import { allowedTools, toolNames } from "./inline-tools";
import { withWorkspaces } from "./with-workspaces";

export async function readTools(
  kernel: Kernel,
  input: { project_id: string; profile: ProfileBody; guests?: Guests },
): Promise<Tools> {
  const allowed = allowedTools(input.profile, await listTools(kernel, input.project_id), input.guests?.tools);
  const offered = allowed.map((tool) => ({
    ...tool,
    parameters: withWorkspaces(tool.parameters, input.profile.workspaces ?? []),
  }));
  return { offered, ...toolNames(offered) };
}
