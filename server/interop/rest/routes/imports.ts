// Imports: a run of another system becomes one of ours.
import * as z from "zod";
import { KernelError } from "@/server/contract/errors";
import { ImportInput } from "@/server/contract/importing";
import { withBytes } from "@/server/front/read-bytes";
import { refuseHeavy } from "@/server/front/refuse-heavy";
import { importRun } from "@/server/interop/importers/import-run";
import { readProject } from "@/server/kernel/roster/read-project";
import { parseJson } from "../read-body";
import { id, route } from "../route";

const ImportQuery = z.strictObject({
  format: ImportInput.shape.format.optional(),
  name: z.string().max(200).optional(),
});

/** 50,000 messages have a third of it. */
const VALUES_MAX = 1_000_000;

export const importRoutes = [
  route({
    method: "POST",
    path: "/projects/{project_id}/imports",
    summary:
      "Import a run: `{format, data, name?}`, or the file itself with `?format=who-and-when&name=...`; twice gives the same ids",
    accepts: "stream",
    query: ImportQuery,
    answer: "ImportResult",
    call: async ({ kernel, params, query, request }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return withBytes(request, kernel.tunables.importBytesMax, async (bytes) => {
        if (bytes.length === 0)
          throw new KernelError("bad_request", "the body is empty; send the file or {format, data}");
        // Digests walk it by recursion; a list in a list in a list ended in a 500.
        refuseHeavy(bytes, { valuesMax: VALUES_MAX });
        if (query.format !== undefined)
          return importRun(kernel, { project_id, bytes, format: query.format, name: query.name });
        const envelope = ImportInput.safeParse(parseJson(bytes));
        if (!envelope.success) {
          const issue = envelope.error.issues[0];
          const path = ["body", ...(issue?.path ?? [])].join(".");
          throw new KernelError("invalid_shape", `${path}: ${issue?.message ?? "malformed"}`, { path });
        }
        return importRun(kernel, { project_id, ...envelope.data });
      });
    },
  }),
];
