// Projects as the API returns them.
import * as z from "zod";

const ProjectStatus = z.enum(["active", "inactive", "archived"]).meta({ id: "ProjectStatus" });
export const Project = z
  .strictObject({
    project_id: z.string(),
    title: z.string(),
    status: ProjectStatus,
    owner_id: z.string().optional(),
    is_demo: z.boolean(),
    run_count: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Project" });
export const ProjectSummary = Project.extend({
  turn_count: z.number(),
  running_count: z.number(),
  last_activity_at: z.string(),
}).meta({ id: "ProjectSummary" });
