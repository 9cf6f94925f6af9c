// A run as a portable file: its parts are put down in a temporary folder, as of one moment, and then sent as a tar.gz. The same run
// is the same bytes.
import {
  BUNDLE_FORMAT,
  BUNDLE_PARTS,
  BUNDLE_VERSION,
  BundleManifest,
  MANIFEST,
  type BundleManifest as Manifest,
} from "@/server/contract/bundle/manifest";
import type { RunFacts, RunKey } from "@/server/kernel/bundle/piece";
import { readRun } from "@/server/kernel/bundle/read-run";
import { withSnapshot } from "@/server/kernel/bundle/snapshot";
import type { Kernel } from "@/server/kernel/kernel";
import { Folder } from "./folder";
import { redactFolder } from "./redact-folder";
import { writeTar } from "./write-tar";

export type BundleInput = RunKey & { redact: boolean };

/** A stream of the file. not_found before the first byte. */
export async function exportBundle(kernel: Kernel, input: BundleInput): Promise<AsyncGenerator<Uint8Array>> {
  return sendAndRemove(await layOut(kernel, input));
}

/** Its parts with the manifest. Whoever asks removes the folder. */
export async function layOut(kernel: Kernel, { redact, ...key }: BundleInput): Promise<Folder> {
  const facts: RunFacts = { source: "launch", exported_at: "", notes: [] };
  const raw = await Folder.open();
  let folder = raw;
  try {
    for (const part of BUNDLE_PARTS) await raw.add(part, new Uint8Array());
    await withSnapshot(kernel, async (reader) => {
      for await (const piece of readRun(reader, key, facts))
        if ("file" in piece) await raw.add(`artifacts/${piece.file}`, piece.bytes);
        else await raw.addLine(piece.part, piece.line);
    });
    if (redact) folder = await redactFolder(raw, facts.notes);
    await folder.addLine("notes.json", facts.notes);
    await folder.addLine(MANIFEST, manifestOf(folder, { key, facts, is_redacted: redact }));
    return folder;
  } catch (error) {
    await folder.remove();
    throw error;
  } finally {
    if (folder !== raw) await raw.remove();
  }
}

type About = { key: RunKey; facts: RunFacts; is_redacted: boolean };

function manifestOf(folder: Folder, { key, facts, is_redacted }: About): Manifest {
  const parts = folder.names().map((name) => folder.facts(name));
  const lined = parts.filter(({ name }) => (BUNDLE_PARTS as readonly string[]).includes(name));
  return BundleManifest.parse({
    format: BUNDLE_FORMAT,
    version: BUNDLE_VERSION,
    exported_at: facts.exported_at,
    source: facts.source,
    is_redacted,
    root_turn_id: key.root_turn_id,
    counts: Object.fromEntries(lined.map(({ name, lines }) => [name, lines])),
    sha256: Object.fromEntries(parts.map(({ name, sha256 }) => [name, sha256])),
  });
}

async function* sendAndRemove(folder: Folder): AsyncGenerator<Uint8Array> {
  try {
    yield* writeTar(folder);
  } finally {
    await folder.remove();
  }
}
