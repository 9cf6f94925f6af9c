// Imports one file as a run of a project. A thread reads the file; it is checked and planned in memory; cards and boxes are then
// written in bounded units; the last unit writes the run, which becomes visible at once. Refused or imported before = nothing is
// written.
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { ImportInput, type ImportResult } from "@/server/contract/importing";
import { shapeFault } from "@/server/contract/shape-fault";
import { draftCard } from "@/server/kernel/cardbox/draft-card";
import type { Kernel } from "@/server/kernel/kernel";
import { withUnit } from "@/server/kernel/unit";
import { withFile } from "./open-file";
import type { ImportPlan } from "./plan";
import { inSlices, type Slices } from "./slices";
import { weighBoxes } from "./weigh";
import type { WhoAndWhenLog } from "./who-and-when/log";
import { parseLog, wants } from "./who-and-when/parse";
import { planWhoAndWhen } from "./who-and-when/plan";
import { isRecorded, recordRun } from "./write-run";
import { holdProject, type Store, writeStore } from "./write-store";

export type ImportRunInput = {
  project_id: string;
  /** The file itself or, without a format, `{format, data, name?}` with the file in it. Large buffers are emptied. */
  bytes: Uint8Array;
  format?: ImportInput["format"];
  name?: string;
  /** `done` of `total` cards and boxes are written. */
  onProgress?: (progress: { done: number; total: number }) => void;
};

export async function importRun(kernel: Kernel, input: ImportRunInput): Promise<ImportResult> {
  const { project_id } = input;
  const sizeMax = kernel.tunables.importBytesMax;
  if (input.bytes.length > sizeMax)
    throw new KernelError(
      "payload_too_large",
      `the file has ${input.bytes.length} bytes; the limit for imports is ${sizeMax}`,
    );
  await withUnit(kernel, (unit) => holdProject(unit, project_id));
  const { log, name } = await readLog(input);
  const plan = await inSlices(planWhoAndWhen(log));
  if (name !== undefined) plan.metadata.file_name = name;
  if (await isRecorded({ kernel, project_id, plan })) return resultOf(plan, null);
  const cards = await inSlices(draftCards(kernel, project_id, plan));
  const weights = await inSlices(weighBoxes(plan, cards));
  const store: Store = { kernel, project_id, plan, weights };
  const total = plan.cards.length + plan.boxes.length;
  const known = await writeStore(store, (done) => input.onProgress?.({ done, total }));
  const run = await recordRun(store);
  return resultOf(plan, run ? known : null);
}

function readLog({ project_id, bytes, format, name }: ImportRunInput): Promise<{ log: WhoAndWhenLog; name?: string }> {
  return withFile({ project_id, bytes, isEnvelope: format === undefined, wants }, async (file) => {
    const asked = format === undefined ? checkedEnvelope(file.envelope) : { name };
    return { log: await parseLog(file), name: asked.name };
  });
}

function checkedEnvelope(given: unknown): ImportInput {
  const envelope = ImportInput.safeParse(given);
  if (envelope.success) return envelope.data;
  const { path, message } = shapeFault(envelope.error, "body");
  throw new KernelError("invalid_shape", `${path}: ${message}`, { path });
}

// Counting tokens is most of an import's work. It happens here, one card per slice, never inside a transaction.
function* draftCards(kernel: Kernel, project_id: string, plan: ImportPlan): Slices<Map<string, Card>> {
  const drafts = new Map<string, Card>();
  for (const card of plan.cards) {
    drafts.set(card.card_id, draftCard(kernel, { project_id, card }));
    yield;
  }
  return drafts;
}

/** `known` = cards and boxes that already existed; null = everything did. */
function resultOf(plan: ImportPlan, known: number | null): ImportResult {
  const counts = {
    turns: plan.turns.length,
    cards: plan.cards.length,
    boxes: plan.boxes.length,
    edges: plan.edges.length,
    agents: plan.agents.length,
  };
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return { root_turn_id: plan.root_turn_id, ...counts, skipped: known ?? all, is_replay: known === null };
}
