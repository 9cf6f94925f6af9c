// A project: nothing is shared between two of them.
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

/** One that can still be restored. */
export type RemovedProject = Pick<Project, "project_id" | "title" | "is_demo"> & {
  removed_at: string;
  /** When it is deleted for good. */
  deleted_at: string;
};

/** What people added to a demo. */
export type DemoExtras = {
  runs: number;
  turns: number;
  agents: number;
  cards: number;
  profiles: number;
  plans: number;
};

/** What is deleted with a project. */
export type ProjectContents = {
  runs: number;
  turns: number;
  running: number;
  agents: number;
  profiles: number;
  plans: number;
  boxes: number;
  cards: number;
};
