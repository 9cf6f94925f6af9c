// The parts of a bundle without secrets. What hangs together still does: a card that is changed gets a new id and `redacted_from`, a
// file and a request another digest, and every place that names them is changed with them.
import type { BundleNote } from "@/server/contract/bundle/manifest";
import { BUNDLE_PARTS } from "@/server/contract/bundle/manifest";
import type { PackLine } from "@/server/contract/bundle/store-lines";
import { redactValue } from "@/server/kernel/redaction/redact";
import { Folder } from "./folder";
import { FIELDWISE, type FieldwisePart, freeFields } from "./free-fields";
import { redactCards } from "./redact-cards";
import { redactFiles } from "./redact-files";
import { redactPlans } from "./redact-plans";
import { redactRequests } from "./redact-requests";
import { type Renames, renamed } from "./renames";

/** Notes of what was left out are added to `notes`. Whoever asks removes the folder. */
export async function redactFolder(raw: Folder, notes: BundleNote[]): Promise<Folder> {
  const folder = await Folder.open();
  const cards = await Folder.open();
  try {
    for (const part of BUNDLE_PARTS) await folder.add(part, new Uint8Array());
    const renames: Renames = new Map();
    await redactFiles({ raw, folder, renames, notes });
    await redactRequests({ raw, folder, renames, notes });
    await redactCards({ raw, folder, cards, renames });
    for (const part of Object.keys(FIELDWISE) as FieldwisePart[])
      await redactPart({ raw, folder, part, renames, notes });
    await redactPlans({ raw, folder, renames, notes });
    const { value, findings } = redactValue(notes);
    if (findings.length > 0) notes.splice(0, notes.length, ...value);
    return folder;
  } catch (error) {
    await folder.remove();
    throw error;
  } finally {
    await cards.remove();
  }
}

type Parts = { raw: Folder; folder: Folder; part: FieldwisePart; renames: Renames; notes: BundleNote[] };

async function redactPart({ raw, folder, part, renames, notes }: Parts): Promise<void> {
  const free = freeFields(part);
  const keys = new Set<string>();
  let left = 0;
  for await (const text of raw.lines(part)) {
    const given = JSON.parse(text) as Record<string, unknown>;
    if (isChanged(part, given, renames)) {
      left++;
      continue;
    }
    const line = renamed(given, renames) as Record<string, unknown>;
    const { value } = redactValue(Object.fromEntries(free.map((name) => [name, line[name]])));
    // A name that was redacted as a name of a member keeps its place.
    for (const [i, redacted] of Object.values(value).entries()) line[free[i] ?? ""] = redacted;
    if (part === "env.jsonl") line.key = distinct(String(line.key), keys);
    await folder.addLine(part, line);
  }
  if (left === 0) return;
  const what = part === "artifacts/packs.jsonl" ? "context packs" : "names of files";
  notes.push({
    code: `${what.replaceAll(" ", "_")}_redacted`,
    count: left,
    text: `${what} whose bytes held secrets were left out`,
  });
}

/** A pack is its digest, and a name stands for one: with other bytes they would be something else. */
function isChanged(part: FieldwisePart, line: Record<string, unknown>, renames: Renames): boolean {
  if (part === "artifacts/names.jsonl") return renames.has(String(line.sha256));
  if (part !== "artifacts/packs.jsonl") return false;
  const { sha256, sidecar_sha256, input_sha256, sources } = line as PackLine;
  return [sha256, sidecar_sha256, input_sha256, ...sources].some((one) => renames.has(one));
}

/** Two keys that are redacted to one stay two. */
function distinct(key: string, taken: Set<string>): string {
  let name = key;
  for (let n = 2; taken.has(name); n++) name = `${key} ${n}`;
  taken.add(name);
  return name;
}
