// What a newcomer sees first. An empty database gets the demo once; if someone has removed it, or already works here, nothing
// is created.
import type { Kernel } from "@/server/kernel/kernel";
import { listProjects } from "@/server/kernel/roster/list-projects";
import { wasDeleted } from "@/server/kernel/roster/was-deleted";
import { DEMO_PROJECT, startDemoRun } from "./start-demo-run";

/** True if the run was started now. An interrupted start is completed by the next one. */
export async function ensureDemo(kernel: Kernel): Promise<boolean> {
  const projects = await listProjects(kernel);
  const demo = projects.find((project) => project.project_id === DEMO_PROJECT && project.is_demo);
  const isWanted = demo ? demo.run_count === 0 : projects.length === 0 && !(await wasDeleted(kernel, DEMO_PROJECT));
  if (!isWanted) return false;
  const { is_replay } = await startDemoRun(kernel, { action_id: "demo-first-run" });
  return !is_replay;
}
