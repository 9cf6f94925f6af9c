// What was deleted from a project, by whom and why.

import { pageAnswer } from "@/server/contract/answers/page";
import { Deletion } from "@/server/contract/deletion";
import { PageQuery } from "@/server/contract/page";
import { listDeletions, readDeletion } from "@/server/kernel/deletion/read-deletions";
import { readProject } from "@/server/kernel/roster/read-project";
import { id, route } from "../route";

export const deletionRoutes = [
  route({
    operationId: "listDeletions",
    method: "GET",
    path: "/projects/{project_id}/deletions",
    summary: "List what was deleted for good, newest first: by whom, why, and what it came to",
    query: PageQuery.strict(),
    answer: pageAnswer(Deletion),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listDeletions(kernel, { project_id, ...query });
    },
  }),
  route({
    operationId: "readDeletion",
    method: "GET",
    path: "/projects/{project_id}/deletions/{deletion_id}",
    summary: "Read one deletion. `ended_at` is absent while rows are left",
    answer: Deletion,
    call: ({ kernel, params }) =>
      readDeletion(kernel, { project_id: id(params, "project_id"), deletion_id: id(params, "deletion_id") }),
  }),
];
