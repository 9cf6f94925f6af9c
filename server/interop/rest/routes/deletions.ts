// What was deleted from a project, by whom and why, and how long it keeps its runs.
import * as z from "zod";
import { Deletion, Retention } from "@/server/contract/answers/deletions";
import { pageAnswer } from "@/server/contract/answers/page";
import { RETENTION_DAYS_MAX } from "@/server/contract/deletion";
import { PageQuery } from "@/server/contract/page";
import { readRetention, setRetention } from "@/server/kernel/deletion/keep-runs";
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
  route({
    operationId: "readRetention",
    method: "GET",
    path: "/projects/{project_id}/retention",
    summary:
      "Read how long the project keeps runs, and how many are older. With `days`, how many that number would delete",
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(RETENTION_DAYS_MAX).optional() }),
    answer: Retention,
    call: ({ kernel, params, query }) => readRetention(kernel, { project_id: id(params, "project_id"), ...query }),
  }),
  route({
    operationId: "setRetention",
    method: "PUT",
    path: "/projects/{project_id}/retention",
    summary: "Delete runs that ended more than so many days ago, from now on; null keeps them for ever",
    description:
      "The watchdog deletes them within seconds, a few at a time, and records each. Runs that have not ended stay, and so do imports and the demo. Ask with GET and `days` first: it counts what would go.",
    body: z.strictObject({ days: Retention.shape.days }),
    answer: Retention,
    call: ({ kernel, params, body: { days } }) => setRetention(kernel, { project_id: id(params, "project_id"), days }),
  }),
];
