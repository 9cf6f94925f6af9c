// Imports: a run of another system becomes one of ours.
import * as z from "zod";
import { ImportResult } from "@/server/contract/answers/imports";
import { KernelError } from "@/server/contract/errors";
import { ImportFormat, ImportInput } from "@/server/contract/importing";
import { withBytes } from "@/server/front/read-bytes";
import { importBundle } from "@/server/interop/bundle/import-bundle";
import { importRun } from "@/server/interop/importers/import-run";
import { readProject } from "@/server/kernel/roster/read-project";
import { id, route } from "../route";

const ImportQuery = z.strictObject({
  format: ImportFormat.optional(),
  name: z.string().max(200).optional(),
});

export const importRoutes = [
  route({
    operationId: "importRun",
    method: "POST",
    path: "/projects/{project_id}/imports",
    summary:
      "Import a run: `{format, data, name?}`, or the file itself with `?format=who-and-when&name=...`, or a run bundle with `?format=bundle`. Importing twice gives the same ids",
    accepts: "stream",
    takesBytes: true,
    shownBody: ImportInput,
    query: ImportQuery,
    answer: ImportResult,
    call: async ({ kernel, params, query, request }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return withBytes(request, kernel.tunables.importBytesMax, async (bytes) => {
        if (bytes.length === 0)
          throw new KernelError("bad_request", "the body is empty; send the file or {format, data}");
        if (query.format === "bundle") return importBundle(kernel, { project_id, bytes });
        return importRun(kernel, { project_id, bytes, format: query.format, name: query.name });
      });
    },
  }),
];
