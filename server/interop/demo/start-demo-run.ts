// A short research run with real waiting times and no model, so that the first picture moves. Everything about it says that
// it is a demo.
import fs from "node:fs";
import path from "node:path";
import type { LaunchResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "@/server/kernel/kernel";
import { launch } from "@/server/kernel/launch/launch";
import { publishPlan } from "@/server/kernel/plan/publish-plan";
import { createProject } from "@/server/kernel/roster/create-project";
import { findProfile } from "@/server/kernel/roster/find-profile";
import { type ParsedProfile, parseProfile } from "@/server/kernel/roster/parse-profile";
import { readProject } from "@/server/kernel/roster/read-project";
import { readYaml } from "@/server/kernel/roster/read-yaml";
import { saveProfile } from "@/server/kernel/roster/save-profile";
import { withUnit } from "@/server/kernel/unit";

export const DEMO_PROJECT = "demo";

const title = "Demo: a scripted research run";
const question = "How should a job queue on Postgres be built, so that it stays fast and loses nothing?";

/** Creates the project and its profiles if they are missing. The same `action_id` is the same run. */
export async function startDemoRun(kernel: Kernel, options: { action_id?: string } = {}): Promise<LaunchResult> {
  await ensureProject(kernel);
  await ensureProfiles(kernel);
  await ensurePlans(kernel);
  return launch(kernel, {
    project_id: DEMO_PROJECT,
    tool: "launch_principal",
    args: { profile_name: "Demo_Planner", instruction: question },
    action_id: options.action_id,
    user: "local",
    source: "demo",
  });
}

async function ensureProject(kernel: Kernel): Promise<void> {
  try {
    await createProject(kernel, { project_id: DEMO_PROJECT, title, is_demo: true });
  } catch (error) {
    if (!(error instanceof KernelError && error.code === "conflict")) throw error;
    // It exists: another process was first, this is a second run, or it is someone's own.
    const { is_demo } = await readProject(kernel, DEMO_PROJECT);
    if (!is_demo)
      throw new KernelError("conflict", `your own project has the id ${DEMO_PROJECT}, which the demo needs`);
  }
}

// A profile that someone has changed is kept.
async function ensureProfiles(kernel: Kernel): Promise<void> {
  // One after the other: all at once, several starts of the demo exceeded what one project may have waiting.
  const profiles: ParsedProfile[] = [];
  for (const text of ownTexts("profiles")) profiles.push(parseProfile(await readYaml(DEMO_PROJECT, text)));
  await withUnit(kernel, async (unit) => {
    for (const profile of profiles)
      if (!(await findProfile(unit, { project_id: DEMO_PROJECT, name: profile.body.name })))
        await saveProfile(unit, { project_id: DEMO_PROJECT, profile, author_id: "switchyard" });
  });
}

// A plan that someone has published anew is kept.
async function ensurePlans(kernel: Kernel): Promise<void> {
  for (const text of ownTexts("plans")) {
    const body = await readYaml(DEMO_PROJECT, text);
    try {
      await publishPlan(kernel, {
        project_id: DEMO_PROJECT,
        user: "switchyard",
        message: "the demo's own",
        body,
        // Somebody may have changed the demo's profiles: that must not keep the demo from starting.
        accept_problems: true,
      });
    } catch (error) {
      if (!(error instanceof KernelError && error.code === "conflict")) throw error;
    }
  }
}

// Not next to this module: in the bundle it is elsewhere, and the build copies these files under the same path.
function ownTexts(kind: "profiles" | "plans"): string[] {
  const folder = path.join(process.cwd(), "server/interop/demo", kind);
  return fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
}
