// Named artifacts: artifact://area/name is /artifacts/area/name here. What a name stands for never changes.
import * as z from "zod";
import { pageAnswer } from "@/server/contract/answers/page";
import { parseArtifactName } from "@/server/contract/context-pack/artifact-name";
import { Digest } from "@/server/contract/context-pack/forms";
import { NamedArtifact } from "@/server/contract/context-pack/named-artifact";
import { KernelError } from "@/server/contract/errors";
import { User } from "@/server/contract/ids";
import { PageQuery } from "@/server/contract/page";
import { bodyParts } from "@/server/front/body-parts";
import { deleteName } from "@/server/kernel/artifacts/delete-name";
import { listNames, readNamedBytes } from "@/server/kernel/artifacts/read-names";
import { uploadArtifact } from "@/server/kernel/artifacts/upload-artifact";
import type { Kernel } from "@/server/kernel/kernel";
import { readProject } from "@/server/kernel/roster/read-project";
import { withUnit } from "@/server/kernel/unit";
import { digestOf } from "../content-digest";
import { serveBytes } from "../foreign-bytes";
import { id, type RouteCall, reply, route } from "../route";

const at = { path: "/projects/{project_id}/artifacts/{area}/{name}", deep: "name" } as const;
const ListQuery = PageQuery.extend({ area: z.string().max(64).optional() }).strict();

export const namedArtifactRoutes = [
  route({
    operationId: "listArtifacts",
    method: "GET",
    path: "/projects/{project_id}/artifacts",
    summary: "List named artifacts, newest first; `area` shows those of one area",
    query: ListQuery,
    answer: pageAnswer(NamedArtifact),
    call: async ({ kernel, params, query }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      return listNames(kernel, { project_id, ...query });
    },
  }),
  route({
    ...at,
    operationId: "putArtifact",
    method: "PUT",
    summary:
      "Store bytes under a name. The same bytes again are accepted (200); other bytes are `artifact_conflict` (409)",
    description:
      "`sha256`, or the header `Content-Digest: sha-256=:...:`, says what the bytes should be. They are stored while they arrive and can be read when all of them are there.",
    accepts: "stream",
    takesBytes: true,
    query: z.strictObject({ sha256: Digest.optional(), user: User }),
    answer: NamedArtifact,
    status: 201,
    sameStatus: 200,
    call: async ({ kernel, params, query, request }) => {
      const name = nameOf(params);
      await readProject(kernel, name.project_id);
      const { artifact, is_new } = await uploadArtifact(kernel, {
        ...name,
        mime: request.headers.get("content-type") ?? "",
        sha256: digestOf(query.sha256, request.headers.get("content-digest")),
        created_by: query.user,
        parts: bodyParts(request, kernel.tunables.uploadBytesMax),
      });
      return reply(is_new ? 201 : 200, artifact);
    },
  }),
  route({
    ...at,
    operationId: "getNamedArtifact",
    method: "GET",
    summary: "Get the bytes of a named artifact: a picture as a picture, anything else as a download",
    isBytes: true,
    call: (input) => serveNamed(input),
  }),
  route({
    ...at,
    operationId: "headNamedArtifact",
    method: "HEAD",
    summary: "Get the size (`Content-Length`) and the digest (`ETag`) of a named artifact",
    isBytes: true,
    call: (input) => serveNamed(input),
  }),
  route({
    ...at,
    operationId: "deleteNamedArtifact",
    method: "DELETE",
    summary: "Delete a name, and its bytes if nothing else refers to them",
    status: 204,
    call: async ({ kernel, params }) => {
      const name = nameOf(params);
      await withUnit(kernel, (unit) => deleteName(unit, name));
      return reply(204);
    },
  }),
];

function nameOf(params: Record<string, string>): { project_id: string; area: string; name: string } {
  const ref = `artifact://${params.area ?? ""}/${params.name ?? ""}`;
  const parsed = parseArtifactName(ref);
  if ("fault" in parsed) throw new KernelError("bad_request", `name: ${ref.slice(0, 200)} ${parsed.fault}.`);
  return { project_id: id(params, "project_id"), ...parsed };
}

type Asked = Pick<RouteCall<Record<string, string>, unknown, unknown>, "params" | "request"> & { kernel: Kernel };

async function serveNamed({ kernel, params, request }: Asked): Promise<Response> {
  const name = nameOf(params);
  const artifact = await readNamedBytes(kernel, name);
  const filename = name.name.split("/").at(-1) ?? "artifact.bin";
  return serveBytes({ kernel, project_id: name.project_id, artifact, request, filename });
}
