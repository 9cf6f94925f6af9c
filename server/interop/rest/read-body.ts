// Bodies: read up to a limit and parsed; errors name the path.
import { KernelError } from "@/server/contract/errors";
import { readBytes } from "@/server/front/read-bytes";
import { refuseHeavy } from "@/server/front/refuse-heavy";
import { type DocumentLimits, readYaml } from "@/server/kernel/roster/read-yaml";

/**
 * Nothing here unpacks a body: a gzip body of an artifact used to be stored packed, under the digest of other bytes. A type such as
 * application/gzip is not a coding.
 */
export function refuseCoding(headers: Headers): void {
  const given = headers.get("content-encoding") ?? "";
  const isPlain = given.split(",").every((coding) => ["", "identity"].includes(coding.trim().toLowerCase()));
  if (isPlain) return;
  throw new KernelError(
    "unsupported_coding",
    `Content-Encoding: "${given.slice(0, 80)}" is not read here; send the body as it is, without Content-Encoding`,
  );
}

export async function readJson(request: Request, limits: JsonLimits, or?: string): Promise<unknown> {
  const bytes = await readBytes(request, limits.bytesMax);
  refuseHeavy(bytes, limits);
  return parseJson(bytes, or);
}

type JsonLimits = { bytesMax: number; valuesMax: number };

/** undefined for an empty body. `or`: what is taken besides JSON. */
export function parseJson(bytes: Uint8Array, or = ""): unknown {
  const text = decode(bytes);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KernelError(
      "bad_request",
      `the body is not JSON; send JSON (Content-Type: application/json)${or}: ${error instanceof Error ? error.message : "malformed"}`,
    );
  }
}

/** A profile, a tool or a plan: JSON, YAML (text/yaml) or a multipart upload with the field `file`. */
export async function readDocument(project_id: string, request: Request, limits: DocumentLimits): Promise<unknown> {
  const { bytesMax } = limits;
  const yamlOf = (text: string) => readYaml(project_id, text, undefined, limits);
  const type = (request.headers.get("content-type") ?? "").toLowerCase();
  if (type.includes("yaml") || type.startsWith("text/plain")) return yamlOf(decode(await readBytes(request, bytesMax)));
  if (!type.startsWith("multipart/form-data")) return readJson(request, limits, " or YAML (Content-Type: text/yaml)");
  // Room for the form around the file.
  const bytes = await readBytes(request, bytesMax + 16_384);
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
  return yamlOf(typeof file === "string" ? file : decode(new Uint8Array(await file.arrayBuffer())));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new KernelError("bad_request", "the body is not UTF-8; send it encoded as UTF-8");
  }
}
