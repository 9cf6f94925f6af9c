// Imports a run bundle: unpacked into a temporary folder, checked as a whole, then written in one unit. One at a time: each takes as
// much of the disk as a bundle may have.

import { MANIFEST, partsOf } from "@/server/contract/bundle/manifest";
import { KernelError } from "@/server/contract/errors";
import type { ImportResult } from "@/server/contract/importing";
import { readRunBundle } from "@/server/kernel/bundle/read-run-bundle";
import { writeRun } from "@/server/kernel/bundle/write-run";
import { type BundleSource, taken } from "@/server/kernel/bundle/writing";
import type { Kernel } from "@/server/kernel/kernel";
import { lineOf } from "@/server/kernel/take-turns";
import { type CheckedBundle, checkBundle } from "./check-bundle";
import { layOut } from "./export-bundle";
import type { Folder } from "./folder";
import { readTar } from "./read-tar";

const waiting = lineOf<() => void>({ ofProject: 4, ofAll: 16 });
let isBusy = false;

export type ImportBundleInput = { project_id: string; bytes: Uint8Array };

export async function importBundle(kernel: Kernel, { project_id, bytes }: ImportBundleInput): Promise<ImportResult> {
  await turn(project_id);
  try {
    const folder = await readTar(bytes);
    try {
      return await importFolder(kernel, project_id, folder);
    } finally {
      await folder.remove();
    }
  } finally {
    const go = waiting.next();
    if (go) go();
    else isBusy = false;
  }
}

async function turn(project_id: string): Promise<void> {
  if (!isBusy) {
    isBusy = true;
    return;
  }
  await new Promise<void>((go) => {
    if (!waiting.add(project_id, go))
      throw new KernelError("busy", "several bundles are already waiting; send it again in a few seconds");
  });
}

async function importFolder(kernel: Kernel, project_id: string, folder: Folder): Promise<ImportResult> {
  const checked = await checkBundle(folder);
  const sha256 = folder.facts(MANIFEST).sha256;
  const { version, root_turn_id, exported_at, source } = checked.manifest;
  const there = await readRunBundle(kernel, { project_id, root_turn_id });
  if (there !== null) {
    if (there.sha256 !== sha256 && !(await isSame(kernel, { project_id, root_turn_id }, folder, version)))
      throw taken("run", root_turn_id);
    return resultOf(checked, null);
  }
  const bundle: BundleSource = {
    version,
    root_turn_id,
    exported_at,
    source,
    sha256,
    notes: checked.notes,
    cards: checked.cards,
    lines: (part) => valuesOf(folder, part),
    file: (one) => folder.bytes(`artifacts/${one}`),
  };
  const { known } = await writeRun(kernel, { project_id, source: bundle });
  return resultOf(checked, known);
}

async function* valuesOf(folder: Folder, part: string): AsyncGenerator<unknown> {
  for await (const text of folder.lines(part)) yield JSON.parse(text) as unknown;
}

/** The run was never imported here, but it is the very run: as in the project that the bundle came from. */
async function isSame(
  kernel: Kernel,
  key: { project_id: string; root_turn_id: string },
  given: Folder,
  version: BundleSource["version"],
): Promise<boolean> {
  const own = await layOut(kernel, { ...key, redact: false });
  try {
    return partsOf(version).every((part) => own.facts(part).sha256 === given.facts(part).sha256);
  } finally {
    await own.remove();
  }
}

/** `known` = cards, boxes and agents that were there; null = the whole run was. */
function resultOf({ manifest, counts }: CheckedBundle, known: number | null): ImportResult {
  const result = {
    turns: counts["turns.jsonl"],
    cards: counts["cards.jsonl"],
    boxes: counts["boxes.jsonl"],
    edges: counts["edges.jsonl"],
    agents: counts["agents.jsonl"],
  };
  const all = Object.values(result).reduce((sum, n) => sum + n, 0);
  return { root_turn_id: manifest.root_turn_id, ...result, skipped: known ?? all, is_replay: known === null };
}
