// Bytes that a card refers to. They are untrusted: whatever type they claim, browsers show only pictures, and no script in them
// runs here.
import { Sha256 } from "@/server/contract/artifact";
import { KernelError } from "@/server/contract/errors";
import { pictureOf } from "@/server/kernel/artifacts/picture-of";
import { readArtifact } from "@/server/kernel/artifacts/read-artifacts";
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
      const { bytes } = await readArtifact(kernel, { project_id, sha256: sha256.data });
      const picture = pictureOf(bytes);
      const etag = `"${sha256.data}"`;
      // Asked for each time: a file that was deleted with its card must not stay readable in a browser for a year.
      const kept = { etag, "cache-control": "private, no-cache" };
      if (namesIt(request.headers.get("if-none-match"), etag))
        return new Response(null, { status: 304, headers: kept });
      return new Response(new Uint8Array(bytes), {
        headers: {
          ...kept,
          "content-type": picture?.mime ?? "application/octet-stream",
          "content-disposition": picture ? "inline" : `attachment; filename="${sha256.data.slice(0, 12)}.bin"`,
          "content-length": String(bytes.byteLength),
          "content-security-policy": "sandbox; default-src 'none'",
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
        },
      });
    },
  }),
];

/** If-None-Match: the reader has it already. A digest is the same under `W/`, which a compressing proxy adds. */
const namesIt = (given: string | null, etag: string): boolean =>
  given !== null && (given.trim() === "*" || given.split(",").some((one) => one.trim().replace(/^W\//, "") === etag));
