// Files of a redacted bundle: text without its secrets under its new digest. Of other bytes nobody can tell what may be cut out of
// them, so a file in which a secret shows is left out, and one too large to be looked through as well.
import { createHash } from "node:crypto";
import type { BundleNote } from "@/server/contract/bundle/manifest";
import type { FileLine } from "@/server/contract/bundle/store-lines";
import { redactText } from "@/server/kernel/redaction/redact";
import type { Folder } from "./folder";
import { redactBytes } from "./redact-bytes";
import type { Renames } from "./renames";

const READ_BYTES_MAX = 16_777_216;

type Given = { raw: Folder; folder: Folder; renames: Renames; notes: BundleNote[] };

export async function redactFiles({ raw, folder, renames, notes }: Given): Promise<void> {
  const kept: FileLine[] = [];
  let left = 0;
  for await (const text of raw.lines("artifacts/files.jsonl")) {
    const line = JSON.parse(text) as FileLine;
    const bytes = line.size <= READ_BYTES_MAX ? await wholeOf(raw, `artifacts/${line.sha256}`) : null;
    const clean = bytes && redactBytes(bytes);
    if (!clean || redactText(line.mime).kinds.length > 0) {
      renames.set(line.sha256, null);
      left++;
      continue;
    }
    const sha256 = createHash("sha256").update(clean).digest("hex");
    if (sha256 !== line.sha256) renames.set(line.sha256, sha256);
    if (folder.has(`artifacts/${sha256}`)) continue;
    await folder.add(`artifacts/${sha256}`, clean);
    kept.push({ ...line, sha256, size: clean.byteLength });
  }
  for (const line of kept.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)))
    await folder.addLine("artifacts/files.jsonl", line);
  const text = `files that hold a secret and are no text, or are over ${READ_BYTES_MAX} bytes, were left out`;
  if (left > 0) notes.push({ code: "files_redacted", count: left, text });
}

async function wholeOf(raw: Folder, name: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of raw.bytes(name)) pieces.push(piece);
  return Buffer.concat(pieces);
}
