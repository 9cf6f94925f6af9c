// Bodies: read up to a limit and parsed; errors name the path.
import { KernelError } from "@/server/contract/errors";
import { readBytes } from "@/server/front/read-bytes";
import { refuseHeavy } from "@/server/front/refuse-heavy";
import { DOCUMENT_BYTES_MAX, readYaml } from "@/server/kernel/roster/read-yaml";

export async function readJson(request: Request, limits: JsonLimits): Promise<unknown> {
  const bytes = await readBytes(request, limits.bytesMax);
  refuseHeavy(bytes, limits);
  return parseJson(bytes);
}

type JsonLimits = { bytesMax: number; valuesMax: number };

/** undefined for an empty body. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KernelError(
      "bad_request",
      `the body is not JSON; send JSON (Content-Type: application/json): ${error instanceof Error ? error.message : "malformed"}`,
    );
  }
}

/** A profile or a tool: JSON, YAML (text/yaml) or a multipart upload with the field `file`. */
export async function readDocument(project_id: string, request: Request): Promise<unknown> {
  const type = (request.headers.get("content-type") ?? "").toLowerCase();
  if (type.includes("yaml") || type.startsWith("text/plain"))
    return readYaml(project_id, decode(await readBytes(request, DOCUMENT_BYTES_MAX)));
  if (!type.startsWith("multipart/form-data"))
    return readJson(request, { bytesMax: DOCUMENT_BYTES_MAX, valuesMax: DOCUMENT_VALUES_MAX });
  // Room for the form around the file.
  const bytes = await readBytes(request, DOCUMENT_BYTES_MAX + 16_384);
  const form = await new Response(new Blob([new Uint8Array(bytes)]), {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  })
    .formData()
    .catch(() => {
      throw new KernelError("bad_request", "the multipart body is malformed; send one field named file");
    });
  const file = form.get("file");
  if (file === null)
    throw new KernelError("bad_request", "file: the multipart body has no such field; send the YAML as `file`");
  return readYaml(project_id, typeof file === "string" ? file : decode(new Uint8Array(await file.arrayBuffer())));
}

/** As many as its YAML may have. */
const DOCUMENT_VALUES_MAX = 20_000;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new KernelError("bad_request", "the body is not UTF-8; send it encoded as UTF-8");
  }
}
