// Bytes by their digest: what a card refers to, or what has a name.
import { Sha256 } from "@/server/contract/artifact";
import { KernelError } from "@/server/contract/errors";
import { readArtifact } from "@/server/kernel/artifacts/read-artifacts";
import { serveBytes } from "../foreign-bytes";
import { id, route } from "../route";

export const artifactRoutes = [
  route({
    operationId: "getArtifact",
    method: "GET",
    path: "/projects/{project_id}/artifacts/{sha256}",
    summary: "Get the bytes that a card refers to: a PNG, JPEG, GIF or WebP as a picture, anything else as a download",
    isBytes: true,
    call: async ({ kernel, params, request }) => {
      const project_id = id(params, "project_id");
      const sha256 = Sha256.safeParse(params.sha256);
      if (!sha256.success) throw new KernelError("not_found", "sha256: not the digest of an artifact");
      const artifact = await readArtifact(kernel, { project_id, sha256: sha256.data });
      return serveBytes({ kernel, project_id, artifact, request, filename: `${sha256.data.slice(0, 12)}.bin` });
    },
  }),
];
