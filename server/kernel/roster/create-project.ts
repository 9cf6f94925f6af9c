// Creates an empty project. If no id is given, it is made from the title.
import { KernelError } from "@/server/contract/errors";
import { slug } from "@/server/contract/ids";
import type { NewProject, Project } from "@/server/contract/project";
import { refuseBadText } from "@/server/contract/text";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { deleteProject } from "./delete-project";
import { isRemoved, unlessGone } from "./removed";

// A project created again under the id of a deleted one continues its numbers: open windows still hold the frame that says
// "deleted".
const INSERT = `
  INSERT INTO projects (project_id, title, owner_id, is_demo, rev)
  VALUES ($1, $2, $3, $4, (SELECT coalesce(max((frames -> 0 ->> 'rev')::bigint), 0) + 1 FROM state.journal_packs
    WHERE project_id = $1 AND kind = 'project' AND entity_id = $1))
  ON CONFLICT (project_id) DO NOTHING
  RETURNING project_id, title, status, owner_id, is_demo, run_count, rev, created_at, updated_at`;

type Row = Omit<Project, "owner_id"> & { owner_id: string | null; rev: number };

/** conflict when the id is taken. */
export async function createProject(kernel: Kernel, input: NewProject & { is_demo?: boolean }): Promise<Project> {
  refuseBadText(input);
  const project_id = input.project_id ?? `${slug(input.title)}-${kernel.newId().slice(-6)}`;
  try {
    return await insert(kernel, { ...input, project_id });
  } catch (error) {
    // The id of a removed project is free: whoever takes it gives up the undo. Asked after the insert, as a repeated request
    // is answered by that: asked before, the repeat deleted what it had created.
    const isTaken = error instanceof KernelError && error.code === "conflict";
    if (!isTaken || !(await isRemoved(kernel, project_id))) throw error;
    await deleteProject(kernel, project_id, { removedForMs: 0 }).catch(unlessGone);
    return insert(kernel, { ...input, project_id });
  }
}

function insert(
  kernel: Kernel,
  { project_id, ...input }: NewProject & { project_id: string; is_demo?: boolean },
): Promise<Project> {
  return withUnit(kernel, async (unit) => {
    const [row] = await unit.query<Row>("project_create", INSERT, [
      project_id,
      input.title,
      input.owner_id ?? null,
      input.is_demo ?? false,
    ]);
    if (!row) throw new KernelError("conflict", `project_id ${project_id} is taken; choose another id or leave it out`);
    const { rev, owner_id, ...project } = row;
    unit.frame(project_id, {
      kind: "project",
      id: project_id,
      rev,
      title: row.title,
      status: row.status,
      is_deleted: false,
    });
    return { ...project, owner_id: owner_id ?? undefined };
  });
}
