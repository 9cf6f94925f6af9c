// Removes the demo and all its traces; running turns are refused at their next write.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "@/server/kernel/kernel";
import { deleteProject } from "@/server/kernel/roster/delete-project";
import { readProject } from "@/server/kernel/roster/read-project";
import { DEMO_PROJECT } from "./start-demo-run";

/** not_found if there is none, or if someone's own project has its name. It is not created again by itself. */
export async function removeDemo(kernel: Kernel): Promise<void> {
  const { is_demo } = await readProject(kernel, DEMO_PROJECT);
  if (!is_demo) throw new KernelError("not_found", `project ${DEMO_PROJECT} is not a demo; remove it as a project`);
  await deleteProject(kernel, DEMO_PROJECT);
}
