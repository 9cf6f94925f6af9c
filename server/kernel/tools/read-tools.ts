// What a turn may call, read once: what its profile allows of the kernel's tools and of the project's.
import type { ProfileBody } from "@/server/contract/profile";
import type { Tool } from "@/server/contract/tool";
import type { Tools } from "../context/render-request";
import type { Kernel } from "../kernel";
import { listTools } from "../roster/list-tools";
import type { Guests } from "./guests";
import { allowedTools, toolNames } from "./inline-tools";
import { withWorkspaces } from "./with-workspaces";

type Offering = { profile: ProfileBody; guests?: Guests };

export async function readTools(kernel: Kernel, input: Offering & { project_id: string }): Promise<Tools> {
  return toolsOf(await listTools(kernel, input.project_id), input);
}

/** `listed`: all of the project's. */
export function toolsOf(listed: Tool[], { profile, guests }: Offering): Tools {
  const allowed = allowedTools(profile, listed, guests?.tools);
  const offered = allowed.map((tool) => ({
    ...tool,
    parameters: withWorkspaces(tool.parameters, profile.workspaces ?? []),
  }));
  return { offered, ...toolNames(offered) };
}
