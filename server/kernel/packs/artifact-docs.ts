// Named artifacts that a pack is made from, as documents. Only text is read, and it is redacted before it is stored as a source.
import type { BuildDoc } from "@/server/contract/context-pack/build-input";
import { KernelError } from "@/server/contract/errors";
import { readNamedTexts } from "../artifacts/read-named-texts";
import type { Reader } from "../reader";
import { digestOf } from "./build/ids";
import { byBytes } from "./build/order";
import type { Redactor } from "./build/outcome";
import { type CardDocs, TEXT_BYTES_MAX } from "./card-docs";

const TEXT = /^text\/|^application\/(json|[\w.+-]*\+json|xml|yaml|x-yaml|x-ndjson)$/;

/** not_found for an unknown name, bad_request for what is not text. */
export async function artifactDocs(
  reader: Reader,
  { project_id, refs }: { project_id: string; refs: readonly string[] },
  redact: Redactor,
): Promise<CardDocs> {
  if (refs.length === 0) return { docs: [], texts: new Map() };
  const found = new Map((await readNamedTexts(reader, { project_id, refs })).map((one) => [one.ref, one]));
  const docs: BuildDoc[] = [];
  const texts = new Map<string, Uint8Array>();
  let size = 0;
  for (const [i, ref] of refs.entries()) {
    const field = `from_artifacts.${i}`;
    const artifact = found.get(ref);
    if (!artifact)
      throw new KernelError("not_found", `${field}: ${ref} not found. GET /artifacts lists what there is`, { ref });
    size += artifact.size;
    if (artifact.bytes === null || size > TEXT_BYTES_MAX)
      throw new KernelError(
        "payload_too_large",
        `${field}: more than ${TEXT_BYTES_MAX} bytes of text, the limit here; give fewer`,
      );
    const bytes = Buffer.from(redact.text(textOf(artifact.bytes, artifact.mime, `${field}: ${ref}`)).text);
    const sha256 = digestOf(bytes);
    texts.set(sha256, bytes);
    docs.push({ path: ref, sha256 });
  }
  return { docs: docs.sort((a, b) => byBytes(a.path, b.path)), texts };
}

function textOf(bytes: Uint8Array, mime: string, what: string): string {
  const refuse = (cause: string) =>
    new KernelError("bad_request", `${what} ${cause}. Give Markdown, JSON or other text`);
  if (!TEXT.test(mime)) throw refuse(`has the type ${mime}`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw refuse("is not UTF-8");
    throw error;
  }
}
