// A project: the wall that nothing crosses.
import * as z from "zod";
import { Id } from "./ids";

export const NewProject = z.strictObject({
  project_id: Id.optional(),
  title: z.string().trim().min(1).max(200),
  owner_id: z.string().max(128).optional(),
});
export type NewProject = z.infer<typeof NewProject>;

export const ProjectPatch = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  status: z.enum(["active", "inactive", "archived"]).optional(),
});
export type ProjectPatch = z.infer<typeof ProjectPatch>;

export type Project = {
  project_id: string;
  title: string;
  status: "active" | "inactive" | "archived";
  owner_id?: string;
  is_demo: boolean;
  run_count: number;
  created_at: string;
  updated_at: string;
};

/** A line of the list of projects. */
export type ProjectSummary = Project & { turn_count: number; running_count: number; last_activity_at: string };

/** What goes with a project when it is deleted. */
export type ProjectContents = {
  runs: number;
  turns: number;
  running: number;
  agents: number;
  profiles: number;
  boxes: number;
  cards: number;
};
