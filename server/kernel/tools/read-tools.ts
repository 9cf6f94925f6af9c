// What a turn may call, read once: what its profile allows of the kernel's tools and of the project's.
import type { ProfileBody } from "@/server/contract/profile";
import type { Tools } from "../context/render-request";
import type { Kernel } from "../kernel";
import { listTools } from "../roster/list-tools";
import type { Guests } from "./guests";
import { allowedTools, toolNames } from "./inline-tools";

export async function readTools(
  kernel: Kernel,
  input: { project_id: string; profile: ProfileBody; guests?: Guests },
): Promise<Tools> {
  const offered = allowedTools(input.profile, await listTools(kernel, input.project_id), input.guests?.tools);
  return { offered, ...toolNames(offered) };
}
