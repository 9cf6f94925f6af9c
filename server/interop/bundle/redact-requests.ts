// Requests as they were sent, without secrets. A step names the digest of its request, which changes with it.
import { createHash } from "node:crypto";
import type { RequestLine } from "@/server/contract/bundle/lines";
import type { BundleNote } from "@/server/contract/bundle/manifest";
import type { Folder } from "./folder";
import { redactBytes, redactWritten } from "./redact-bytes";
import type { Renames } from "./renames";

type Given = { raw: Folder; folder: Folder; renames: Renames; notes: BundleNote[] };

export async function redactRequests({ raw, folder, renames, notes }: Given): Promise<void> {
  let left = 0;
  for await (const text of raw.lines("requests.jsonl")) {
    const line = JSON.parse(text) as RequestLine;
    const given = line.text === null ? Buffer.from(line.base64 ?? "", "base64") : Buffer.from(line.text);
    const clean = line.text === null ? redactBytes(given) : Buffer.from(redactWritten(line.text));
    const before = digestOf(given);
    if (clean === null) {
      renames.set(before, null);
      left++;
      continue;
    }
    const after = digestOf(clean);
    if (after !== before) renames.set(before, after);
    await folder.addLine(
      "requests.jsonl",
      line.text === null ? line : { ...line, text: Buffer.from(clean).toString() },
    );
  }
  if (left > 0)
    notes.push({
      code: "requests_redacted",
      count: left,
      text: "requests that hold a secret and are no text were left out",
    });
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
